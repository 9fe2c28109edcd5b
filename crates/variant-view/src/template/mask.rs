//! [`Mask`]: what bytes must be, bit by bit.

/// How many bytes there is room for.
pub(crate) const BYTES: usize = 512;
/// The bytes that are compared at a time.
pub(crate) const BLOCK: usize = 32;
pub(crate) const BLOCKS: usize = BYTES / BLOCK;

type Block = [u8; BLOCK];

/// All bits.
pub(crate) const EQUAL: u8 = 0xff;
/// The bit that ASCII does not have.
pub(crate) const ASCII: u8 = 0x80;

/// Some bits of some bytes, and what they must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask {
    wanted: [Block; BLOCKS],
    /// All bits of what must be equal, the highest one of text, none of numbers and padding.
    bits: [Block; BLOCKS],
}

impl Mask {
    /// Bytes may be anything.
    pub(crate) const NONE: Self = Self { wanted: [[0; BLOCK]; BLOCKS], bits: [[0; BLOCK]; BLOCKS] };

    /// From byte `at` on, these bits of the bytes must be as they are here. What there is no room for is left out.
    pub(crate) fn demand(&mut self, at: usize, bytes: &[u8], bits: u8) {
        let wanted = self.wanted.as_flattened_mut().iter_mut();
        let places = wanted.zip(self.bits.as_flattened_mut());
        for ((wanted, place), byte) in places.skip(at).zip(bytes) {
            *wanted = byte & bits;
            *place = bits;
        }
    }

    /// Whether the first `len` of `bytes` are as wanted from block `first` on; there must be whole blocks of them.
    #[inline(always)]
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

/// Whether the bits under the mask are the wanted ones.
#[inline(always)]
fn agree(found: &Block, wanted: &Block, bits: &Block) -> bool {
    let mut difference = 0;
    for ((found, wanted), bits) in found.iter().zip(wanted).zip(bits) {
        difference |= (found ^ wanted) & bits;
    }
    difference == 0
}
