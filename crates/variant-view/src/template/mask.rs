//! [`Mask`]: required bits of bytes.

/// The capacity in bytes.
pub(crate) const BYTES: usize = 512;
/// The number of bytes compared at a time.
pub(crate) const BLOCK: usize = 32;
pub(crate) const BLOCKS: usize = BYTES / BLOCK;

type Block = [u8; BLOCK];

/// All bits of the byte are required.
pub(crate) const EQUAL: u8 = 0xff;
/// The bit that is clear in ASCII.
pub(crate) const ASCII: u8 = 0x80;

/// The bits of each byte that are required, and their values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask {
    wanted: [Block; BLOCKS],
    /// The required bits: all bits of bytes that must be equal, the highest bit of each byte of text, and no bits of
    /// numbers and padding.
    bits: [Block; BLOCKS],
}

impl Mask {
    /// Requires nothing.
    pub(crate) const NONE: Self = Self { wanted: [[0; BLOCK]; BLOCKS], bits: [[0; BLOCK]; BLOCKS] };

    /// From byte `at` on, requires that the `bits` of each byte equal those of `bytes`. Bytes beyond the capacity are
    /// ignored.
    pub(crate) fn demand(&mut self, at: usize, bytes: &[u8], bits: u8) {
        let wanted = self.wanted.as_flattened_mut().iter_mut();
        let places = wanted.zip(self.bits.as_flattened_mut());
        for ((wanted, place), byte) in places.skip(at).zip(bytes) {
            *wanted = byte & bits;
            *place = bits;
        }
    }

    /// Whether the first `len` of `bytes` match the mask from block `first` on. `bytes` must extend to whole blocks.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn fits(&self, bytes: &[u8], first: usize, len: usize) -> bool {
        let (found, _) = bytes.as_chunks::<BLOCK>();
        let (Some(found), Some(wanted), Some(bits)) =
            (found.get(..len.div_ceil(BLOCK)), self.wanted.get(first..), self.bits.get(first..))
        else {
            return false;
        };
        for (found, (wanted, bits)) in found.iter().zip(wanted.iter().zip(bits)) {
            if !agree(found, wanted, bits) {
                return false;
            }
        }
        true
    }
}

/// Whether the bits under the mask are the required ones.
#[cfg_attr(not(variant_small), inline(always))]
fn agree(found: &Block, wanted: &Block, bits: &Block) -> bool {
    let mut difference = 0;
    for ((found, wanted), bits) in found.iter().zip(wanted).zip(bits) {
        difference |= (found ^ wanted) & bits;
    }
    difference == 0
}
