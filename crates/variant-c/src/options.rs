//! [`Options`]: how bytes are read and written.

use std::ffi::c_char;
use std::mem::{offset_of, size_of};
use std::ptr;

use variant_document::Reading;
use variant_io::{Framing, Key, OpenOptions};
use variant_owned::EncodeOptions;
use variant_view::{Dialect, Limits, Objects, Profile, Reals};

use crate::border::{Result, list, text};
use crate::error::Failure;
use crate::names;

/// In options: everything that an engine reads is valid.
pub const VARIANT_PROFILE_ENGINE: u8 = 0;
/// In options: only bytes that an engine writes are valid.
pub const VARIANT_PROFILE_CANONICAL: u8 = 1;

/// In options: limits for files that are trusted: 1,024 levels, and any size.
pub const VARIANT_LIMITS_FILE: u8 = 0;
/// In options: limits for untrusted bytes: 128 levels, 64 MiB, a million values, and no objects with properties.
pub const VARIANT_LIMITS_SERVER: u8 = 1;

/// How bytes are read and written. A member that is zero has its default, which its comment names. Callers set `size`,
/// as in `variant_options options = {.size = sizeof options};`, since later versions may add members at the end. NULL
/// instead of options means that all members have the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The size of this struct in bytes.
    pub size: u32,
    /// The dialect, VARIANT_DIALECT_*. By default it is detected. To write, a dialect is required.
    pub dialect: u8,
    /// The framing of a file or of written values, VARIANT_FRAMING_*. By default, the framing of a file is detected,
    /// and values are written with VARIANT_FRAMING_BARE.
    pub framing: u8,
    /// The width of reals, VARIANT_REALS_*. By default it is detected.
    pub reals: u8,
    /// The bytes that are valid, VARIANT_PROFILE_*. By default VARIANT_PROFILE_ENGINE.
    pub profile: u8,
    /// The limits, VARIANT_LIMITS_*. By default VARIANT_LIMITS_FILE.
    pub limits: u8,
    /// 1 to refuse objects with class and properties. Accepted objects are only data: no instance of the class is
    /// created.
    pub refuse_objects: u8,
    /// 1 to decrypt and decompress a damaged file as far as possible.
    pub lenient: u8,
    /// Zero.
    pub reserved: u8,
    /// The greatest depth of a value, instead of that of `limits`.
    pub max_depth: u32,
    /// The greatest size of a value in bytes, instead of that of `limits`.
    pub max_bytes: u64,
    /// The greatest number of values in a value, instead of that of `limits`.
    pub max_values: u64,
    /// The greatest size of decrypted and decompressed bytes. 1 GiB by default.
    pub max_unpacked: u64,
    /// The number of bytes before the first value of a file.
    pub skip: u64,
    /// The number of bytes after the last value of a file. The library may detect more such bytes.
    pub tail: u64,
    /// The password of an encrypted file, or NULL.
    pub password: *const c_char,
    /// The key of an encrypted file, 32 bytes, or NULL.
    pub key: *const u8,
}

impl Options {
    pub(crate) const DEFAULT: Self = Self {
        size: 0,
        dialect: 0,
        framing: 0,
        reals: 0,
        profile: 0,
        limits: 0,
        refuse_objects: 0,
        lenient: 0,
        reserved: 0,
        max_depth: 0,
        max_bytes: 0,
        max_values: 0,
        max_unpacked: 0,
        skip: 0,
        tail: 0,
        password: ptr::null(),
        key: ptr::null(),
    };

    /// The size of the first version of the struct. Later versions are larger.
    const FIRST: usize = offset_of!(Self, key) + size_of::<*const u8>();
    /// A larger size is refused, since no version of the struct is this large.
    const LARGEST: usize = 1_024;

    /// A copy of the caller's options. Members that the caller's version lacks have the default. Options of a later
    /// version are accepted if the members that this library lacks are zero.
    ///
    /// # Safety
    /// The pointer is null, or points to options with as many bytes as `size` states.
    pub(crate) unsafe fn copied<'a>(options: *const Self) -> Result<'a, Self> {
        let mut copy = Self::DEFAULT;
        if options.is_null() {
            return Ok(copy);
        }
        // SAFETY: the caller promises that the member `size` exists.
        let size = unsafe { (&raw const (*options).size).read() };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        if !(Self::FIRST..=Self::LARGEST).contains(&size) {
            let message = "options: the member `size` is not the size of the struct";
            return Err(Failure::argument(message));
        }
        // SAFETY: the caller promises `size` bytes.
        let bytes = unsafe { list(options.cast::<u8>(), size) }?;
        let known = bytes.get(..size_of::<Self>()).unwrap_or(bytes);
        if bytes.iter().skip(known.len()).any(|byte| *byte != 0) {
            let message = "options: a member is set that this version of the library lacks";
            return Err(Failure::argument(message));
        }
        let (from, to) = (options.cast::<u8>(), (&raw mut copy).cast::<u8>());
        // SAFETY: `known` is not longer than `copy`. Any bytes are valid members, and the pointers are not read here.
        unsafe { ptr::copy_nonoverlapping(from, to, known.len()) };
        Ok(copy)
    }

    /// The settings for reading a file.
    ///
    /// # Safety
    /// The pointers to the password and to the key follow the rules of this crate's documentation.
    pub(crate) unsafe fn reading<'a>(&self) -> Result<'a, Reading> {
        // SAFETY: the caller of this function makes the same promise.
        let key = unsafe { self.key() }?;
        let mut layers = OpenOptions::new().lenient(self.lenient != 0);
        if let Some(key) = key {
            layers = layers.key(key);
        }
        if self.max_unpacked > 0 {
            layers = layers.max_len(self.max_unpacked);
        }
        Ok(Reading {
            dialect: names::dialect(self.dialect)?,
            framing: names::framing(self.framing)?,
            reals: names::reals(self.reals)?,
            skip: self.skip,
            tail: self.tail,
            limits: self.limits()?,
            layers,
        })
    }

    unsafe fn key<'a>(&self) -> Result<'a, Option<Key>> {
        let password = match self.password {
            none if none.is_null() => None,
            // SAFETY: the caller promises a NUL at the end of the password.
            password => Some(unsafe { text(password) }?),
        };
        let key = match self.key {
            none if none.is_null() => None,
            // SAFETY: the caller promises 32 bytes.
            key => Some(unsafe { list(key, 32) }?),
        };
        Key::given(password, key).map_err(Failure::argument)
    }

    /// The options for reading a value in this dialect.
    pub(crate) fn of_value<'a>(
        &self,
        dialect: Dialect,
        reals: Reals,
    ) -> Result<'a, variant_view::Options> {
        let options = variant_view::Options::engine(dialect).reals(reals).limits(self.limits()?);
        self.accepted(options)
    }

    /// `options` with the profile and the rule for objects that the caller chose.
    pub(crate) fn accepted<'a>(
        &self,
        options: variant_view::Options,
    ) -> Result<'a, variant_view::Options> {
        let profile = match self.profile {
            VARIANT_PROFILE_ENGINE => Profile::Engine,
            VARIANT_PROFILE_CANONICAL => Profile::Canonical,
            _ => return Err(Failure::argument("the profile is not one of VARIANT_PROFILE_*")),
        };
        let is_server = self.limits == VARIANT_LIMITS_SERVER;
        let refuses = is_server || self.refuse_objects != 0;
        let objects = if refuses { Objects::Refuse } else { Objects::Accept };
        Ok(options.profile(profile).objects(objects))
    }

    fn limits<'a>(&self) -> Result<'a, Limits> {
        let mut limits = match self.limits {
            VARIANT_LIMITS_FILE => Limits::FILE,
            VARIANT_LIMITS_SERVER => Limits::SERVER,
            _ => return Err(Failure::argument("the limits are not one of VARIANT_LIMITS_*")),
        };
        if self.max_depth > 0 {
            limits = limits.depth(self.max_depth);
        }
        if self.max_bytes > 0 {
            limits = limits.bytes(self.max_bytes);
        }
        if self.max_values > 0 {
            limits = limits.values(self.max_values);
        }
        Ok(limits)
    }

    /// The dialect and the framing to write.
    pub(crate) fn writing<'a>(&self) -> Result<'a, (EncodeOptions, Framing)> {
        let unknown = Failure::argument("a writer needs the dialect, one of VARIANT_DIALECT_*");
        let dialect = names::dialect(self.dialect)?.ok_or(unknown)?;
        let framing = names::framing(self.framing)?.unwrap_or(Framing::Bare);
        if framing == Framing::Settings {
            return Err(Failure::argument("a writer cannot write settings, which have names"));
        }
        let reals = names::reals(self.reals)?.unwrap_or_default();
        let mut options = EncodeOptions::new(dialect).reals(reals);
        if self.max_depth > 0 {
            options = options.depth(self.max_depth);
        }
        Ok((options, framing))
    }
}
