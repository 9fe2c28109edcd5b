//! The numbers of dialects, framings, widths and forms in C, and their names.

use std::ffi::c_char;
use std::ptr;

use variant_io::{ByteOrder, Framing};
use variant_owned::json::Form;
use variant_view::{Dialect, NumberType, Reals};

use crate::border::Result;
use crate::error::Failure;

/// In options: the dialect is detected from the bytes.
pub const VARIANT_DIALECT_DETECT: u8 = 0;
/// Godot 2.
pub const VARIANT_DIALECT_GODOT2: u8 = 2;
/// Godot 3.
pub const VARIANT_DIALECT_GODOT3: u8 = 3;
/// Godot 4.
pub const VARIANT_DIALECT_GODOT4: u8 = 4;
/// Pandemonium 3.
pub const VARIANT_DIALECT_PANDEMONIUM3: u8 = 13;
/// Pandemonium 4.
pub const VARIANT_DIALECT_PANDEMONIUM4: u8 = 14;
/// Pandemonium 5.
pub const VARIANT_DIALECT_PANDEMONIUM5: u8 = 15;

/// In options: the framing is detected from the bytes.
pub const VARIANT_FRAMING_DETECT: u8 = 0;
/// One value without a length before it: var_to_bytes, PacketPeer.put_var.
pub const VARIANT_FRAMING_BARE: u8 = 1;
/// A length before each value: File.store_var, StreamPeer.put_var.
pub const VARIANT_FRAMING_FRAMES: u8 = 2;
/// A big-endian length before each value.
pub const VARIANT_FRAMING_FRAMES_BE: u8 = 3;
/// A name and a length before each value: project.binary.
pub const VARIANT_FRAMING_SETTINGS: u8 = 4;
/// Values one after another without lengths.
pub const VARIANT_FRAMING_SEQUENCE: u8 = 5;

/// In options: the width of reals is detected with the dialect. If nothing is detected, it is VARIANT_REALS_BY_FLAG.
pub const VARIANT_REALS_DETECT: u8 = 0;
/// A flag in the header of a value states the width of its reals, as in every release of the engines.
pub const VARIANT_REALS_BY_FLAG: u8 = 1;
/// Each real of a mathematical value has 64 bits, without a flag.
pub const VARIANT_REALS_ALWAYS64: u8 = 2;

/// The form of JSON that restores every byte.
pub const VARIANT_JSON_EXACT: u8 = 0;
/// The form of JSON.from_native of Godot 4.
pub const VARIANT_JSON_NATIVE: u8 = 1;
/// The form of JSON for people and other tools.
pub const VARIANT_JSON_PLAIN: u8 = 2;

/// An unsigned integer of 8 bits.
pub const VARIANT_NUMBER_UINT8: u8 = 1;
/// A signed integer of 32 bits.
pub const VARIANT_NUMBER_INT32: u8 = 2;
/// A signed integer of 64 bits.
pub const VARIANT_NUMBER_INT64: u8 = 3;
/// A float of 32 bits.
pub const VARIANT_NUMBER_FLOAT: u8 = 4;
/// A float of 64 bits.
pub const VARIANT_NUMBER_DOUBLE: u8 = 5;

const DIALECTS: [(u8, Dialect); 6] = [
    (VARIANT_DIALECT_GODOT2, Dialect::Godot2),
    (VARIANT_DIALECT_GODOT3, Dialect::Godot3),
    (VARIANT_DIALECT_GODOT4, Dialect::Godot4),
    (VARIANT_DIALECT_PANDEMONIUM3, Dialect::Pandemonium3),
    (VARIANT_DIALECT_PANDEMONIUM4, Dialect::Pandemonium4),
    (VARIANT_DIALECT_PANDEMONIUM5, Dialect::Pandemonium5),
];

/// The number of a dialect; 0 for a dialect that no engine has.
pub(crate) fn of_dialect(dialect: Dialect) -> u8 {
    DIALECTS.iter().find(|(_, known)| *known == dialect).map_or(0, |(number, _)| *number)
}

/// The dialect with this number; `None` for [`VARIANT_DIALECT_DETECT`].
pub(crate) fn dialect<'a>(number: u8) -> Result<'a, Option<Dialect>> {
    if number == VARIANT_DIALECT_DETECT {
        return Ok(None);
    }
    let found = DIALECTS.iter().find(|(known, _)| *known == number);
    let unknown = Failure::argument("the number of the dialect is not one of VARIANT_DIALECT_*");
    found.map(|(_, dialect)| Some(*dialect)).ok_or(unknown)
}

/// The framing with this number; `None` for [`VARIANT_FRAMING_DETECT`]. [`Framing::Sequence`] needs a dialect, and gets
/// a placeholder.
pub(crate) const fn framing<'a>(number: u8) -> Result<'a, Option<Framing>> {
    Ok(Some(match number {
        VARIANT_FRAMING_DETECT => return Ok(None),
        VARIANT_FRAMING_BARE => Framing::Bare,
        VARIANT_FRAMING_FRAMES => Framing::Frames(ByteOrder::Little),
        VARIANT_FRAMING_FRAMES_BE => Framing::Frames(ByteOrder::Big),
        VARIANT_FRAMING_SETTINGS => Framing::Settings,
        VARIANT_FRAMING_SEQUENCE => Framing::Sequence(Dialect::Godot4),
        _ => {
            let unknown = "the number of the framing is not one of VARIANT_FRAMING_*";
            return Err(Failure::argument(unknown));
        }
    }))
}

pub(crate) const fn of_framing(framing: Framing) -> u8 {
    match framing {
        Framing::Bare => VARIANT_FRAMING_BARE,
        Framing::Frames(ByteOrder::Little) => VARIANT_FRAMING_FRAMES,
        Framing::Frames(ByteOrder::Big) => VARIANT_FRAMING_FRAMES_BE,
        Framing::Settings => VARIANT_FRAMING_SETTINGS,
        Framing::Sequence(_) => VARIANT_FRAMING_SEQUENCE,
    }
}

/// The rule for the width of reals with this number; `None` for [`VARIANT_REALS_DETECT`].
pub(crate) const fn reals<'a>(number: u8) -> Result<'a, Option<Reals>> {
    match number {
        VARIANT_REALS_DETECT => Ok(None),
        VARIANT_REALS_BY_FLAG => Ok(Some(Reals::ByFlag)),
        VARIANT_REALS_ALWAYS64 => Ok(Some(Reals::Always64)),
        _ => Err(Failure::argument("the width of reals is not one of VARIANT_REALS_*")),
    }
}

pub(crate) const fn of_reals(reals: Reals) -> u8 {
    match reals {
        Reals::ByFlag => VARIANT_REALS_BY_FLAG,
        Reals::Always64 => VARIANT_REALS_ALWAYS64,
    }
}

pub(crate) const fn form<'a>(number: u8) -> Result<'a, Form> {
    match number {
        VARIANT_JSON_EXACT => Ok(Form::Exact),
        VARIANT_JSON_NATIVE => Ok(Form::Native),
        VARIANT_JSON_PLAIN => Ok(Form::Plain),
        _ => Err(Failure::argument("the form of JSON is not one of VARIANT_JSON_*")),
    }
}

pub(crate) const fn of_number(number: NumberType) -> u8 {
    match number {
        NumberType::Byte => VARIANT_NUMBER_UINT8,
        NumberType::Int32 => VARIANT_NUMBER_INT32,
        NumberType::Int64 => VARIANT_NUMBER_INT64,
        NumberType::Float32 | NumberType::Real => VARIANT_NUMBER_FLOAT,
        NumberType::Float64 => VARIANT_NUMBER_DOUBLE,
    }
}

/// The name of a dialect in lower case, such as "godot3"; NULL for other numbers. The text is never freed.
#[unsafe(no_mangle)]
pub const extern "C" fn variant_dialect_name(dialect: u8) -> *const c_char {
    let name = match dialect {
        VARIANT_DIALECT_GODOT2 => c"godot2",
        VARIANT_DIALECT_GODOT3 => c"godot3",
        VARIANT_DIALECT_GODOT4 => c"godot4",
        VARIANT_DIALECT_PANDEMONIUM3 => c"pandemonium3",
        VARIANT_DIALECT_PANDEMONIUM4 => c"pandemonium4",
        VARIANT_DIALECT_PANDEMONIUM5 => c"pandemonium5",
        _ => return ptr::null(),
    };
    name.as_ptr()
}

/// The name of a framing in lower case, such as "frames"; NULL for other numbers. The text is never freed.
#[unsafe(no_mangle)]
pub const extern "C" fn variant_framing_name(framing: u8) -> *const c_char {
    let name = match framing {
        VARIANT_FRAMING_BARE => c"bare",
        VARIANT_FRAMING_FRAMES => c"frames",
        VARIANT_FRAMING_FRAMES_BE => c"frames-be",
        VARIANT_FRAMING_SETTINGS => c"settings",
        VARIANT_FRAMING_SEQUENCE => c"sequence",
        _ => return ptr::null(),
    };
    name.as_ptr()
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn read(name: *const c_char) -> String {
        // SAFETY: names are constants that end with a NUL.
        unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_dialect_and_a_framing_have_their_names() {
        for known in Dialect::ALL.iter().copied() {
            assert_eq!(dialect(of_dialect(known)).unwrap(), Some(known));
            assert_eq!(read(variant_dialect_name(of_dialect(known))), known.name());
        }
        let all = Framing::ALL.into_iter().chain([Framing::Sequence(Dialect::Godot4)]);
        for known in all {
            assert_eq!(framing(of_framing(known)).unwrap(), Some(known));
            assert_eq!(read(variant_framing_name(of_framing(known))), known.name());
        }
    }
}
