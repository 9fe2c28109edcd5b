//! [`Reading`]: the kinds that a dialect finds in bytes, and whether the reals look plausible.

use variant_view::{Node, NumberType, Result, VariantView, Visitor};

/// Hashes the kinds, starts and ends of values, and counts reals.
#[derive(Default)]
pub(super) struct Reading {
    hash: u64,
    /// The number of nonzero 32-bit reals. `denormal` is the number of denormal reals among them.
    reals: usize,
    denormal: usize,
}

impl Reading {
    /// Equal hashes mean equal readings.
    pub(super) const fn hash(&self) -> u64 {
        self.hash
    }

    /// Hashes a value one word at a time (FNV-1a). A collision can only cause a wrong guess.
    fn add(&mut self, view: &VariantView<'_>) {
        let end = view.offset().saturating_add(view.head_bytes().len());
        for word in [view.kind().index(), view.offset(), end] {
            let word = u64::try_from(word).unwrap_or(u64::MAX);
            self.hash = (self.hash ^ word).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Counts the reals of a packed array, if they have 32 bits. O(bytes).
    fn count(&mut self, view: &VariantView<'_>) {
        let Some(numbers) = view.numbers() else { return };
        if !numbers.shape().is_packed || numbers.number_type() != NumberType::Float32 {
            return;
        }
        let (numbers, _) = numbers.as_wire_bytes().unwrap_or_default().as_chunks::<4>();
        for number in numbers {
            let magnitude = u32::from_le_bytes(*number) & !(1 << 31);
            self.reals = self.reals.saturating_add(usize::from(magnitude != 0));
            let is_denormal = (1..f32::MIN_POSITIVE.to_bits()).contains(&magnitude);
            self.denormal = self.denormal.saturating_add(usize::from(is_denormal));
        }
    }

    /// Whether the reals look like numbers that programs write.
    pub(super) const fn is_plausible(&self) -> bool {
        self.denormal < 4 || self.denormal < self.reals / 4
    }
}

impl<'a> Visitor<'a> for Reading {
    fn leaf(&mut self, node: Node<'a>) -> Result<()> {
        self.add(&node.view);
        self.count(&node.view);
        Ok(())
    }

    fn enter(&mut self, node: Node<'a>) -> Result<()> {
        self.add(&node.view);
        Ok(())
    }
}
