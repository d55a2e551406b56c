//! A few operations on whole registers, and their portable twins.
//!
//! An algorithm is written once, over [`Simd`]; [`run`] compiles it for the widest registers that this machine has and
//! for any machine. Operations on eight f64 are those of IEEE 754, one rounding each, so both give the same bits.
//! Operations on sixteen f32 serve filters only: what passes is measured again in f64, so their last bits may differ.
//!
//! Glossary. A *mask* has one bit a lane, the lowest for lane 0. *Words* are sixteen u32 that hold the bits of something
//! else: of one f32 each, or of four bytes (the lowest is the first).

mod portable;
#[cfg(target_arch = "x86_64")]
mod sorted;
#[cfg(target_arch = "x86_64")]
mod wide;

/// How many f64 a register holds.
pub const DOUBLES: usize = 8;
/// How many f32 or words a register holds.
pub const FLOATS: usize = 16;
/// How many bytes a register holds.
pub const BYTES: usize = 64;

/// What an algorithm may do with registers. A value of a type that implements it is the proof that the machine can.
pub trait Simd: Copy + Send + Sync {
    /// Eight f64.
    type D: Copy;
    /// Sixteen f32.
    type F: Copy;
    /// Sixteen i32.
    type I: Copy;
    /// Sixty-four bytes.
    type B: Copy;

    /// The number in every lane.
    fn splat(self, x: f64) -> Self::D;
    /// The first eight numbers of a slice that has at least so many.
    fn load(self, from: &[f64]) -> Self::D;
    /// At most eight numbers, then zeros.
    fn load_part(self, from: &[f64]) -> Self::D;
    /// Lane by lane.
    fn store(self, x: Self::D, to: &mut [f64; DOUBLES]);
    /// a − b.
    fn sub(self, a: Self::D, b: Self::D) -> Self::D;
    /// a + b.
    fn add(self, a: Self::D, b: Self::D) -> Self::D;
    /// a · b, rounded.
    fn mul(self, a: Self::D, b: Self::D) -> Self::D;

    /// The number in every lane.
    fn splat_f(self, x: f32) -> Self::F;
    /// The first sixteen numbers of a slice that has at least so many.
    fn load_f(self, from: &[f32]) -> Self::F;
    /// Lane by lane.
    fn store_f(self, x: Self::F, to: &mut [f32; FLOATS]);
    /// a − b.
    fn sub_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// |a|.
    fn abs_f(self, a: Self::F) -> Self::F;
    /// a · b + c, rounded once or twice.
    fn mul_add_f(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// a + b.
    fn add_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger of two numbers, neither NaN.
    fn max_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// a, or b where a is NaN.
    fn or_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// Where a ≥ b; NaN is nowhere.
    fn ge_f(self, a: Self::F, b: Self::F) -> u16;

    /// Sixteen whole numbers, widened.
    fn widen(self, from: &[u8; FLOATS]) -> Self::F;
    /// Sixteen f32 from their bits.
    fn load_words(self, from: &[u32; FLOATS]) -> Self::F;
    /// a · b.
    fn mul_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// To the nearest i32; numbers are in its range.
    fn round(self, a: Self::F) -> Self::I;

    /// The number of a lane.
    fn lane(self, a: Self::F, lane: usize) -> f32;
    /// The lane of the least number among those of a mask that has at least one bit; no number is NaN.
    fn least(self, a: Self::F, among: u16) -> usize;
    /// Sixteen numbers in order, the least first, and their labels: puts in the lanes of a mask that are small enough,
    /// `first` + lane being their label. Of equal numbers any may be left out.
    fn insert(self, list: (Self::F, Self::I), a: Self::F, mask: u16, first: u32) -> (Self::F, Self::I);

    /// The number in every lane.
    fn splat_i(self, x: i32) -> Self::I;
    /// Sixteen numbers.
    fn load_i(self, from: &[i32; FLOATS]) -> Self::I;
    /// Sixteen words.
    fn load_u(self, from: &[u32; FLOATS]) -> Self::I;
    /// Lane by lane.
    fn store_i(self, x: Self::I, to: &mut [i32; FLOATS]);
    /// The lanes of a mask, the lowest first, to the beginning of a slice that has at least so many places.
    fn store_some(self, x: Self::I, mask: u16, to: &mut [i32]);
    /// The larger of two numbers.
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// Where a ≥ b.
    fn ge_i(self, a: Self::I, b: Self::I) -> u16;
    /// c + a₁b₁ + a₂b₂ + a₃b₃ + a₄b₄ for words of four bytes, those of a without a sign and those of b with one.
    fn dot_bytes(self, c: Self::I, a: Self::I, b: Self::I) -> Self::I;
    /// Whether [`Simd::dot_bytes`] is one instruction.
    fn has_bytes(self) -> bool;

    /// The byte in every lane.
    fn splat_b(self, x: u8) -> Self::B;
    /// The first sixty-four bytes of a slice that has at least so many.
    fn load_b(self, from: &[u8]) -> Self::B;
    /// Lane by lane.
    fn store_b(self, x: Self::B, to: &mut [u8; BYTES]);
    /// Where a ≠ b.
    fn ne_b(self, a: Self::B, b: Self::B) -> u64;
    /// Where a ≤ b.
    fn le_b(self, a: Self::B, b: Self::B) -> u64;
    /// a + b where the mask has a bit, at most 255; a elsewhere.
    fn add_b(self, a: Self::B, mask: u64, b: Self::B) -> Self::B;
}

/// An algorithm over any registers. Its `run`, and all that it calls for every lane, is `#[inline(always)]`: only then is
/// it compiled for the registers at hand.
pub trait Work {
    /// What it gives.
    type Out;
    /// Does the work.
    fn run<S: Simd>(self, simd: S) -> Self::Out;
}

/// Which registers to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lanes {
    /// The widest that the machine has.
    #[default]
    Widest,
    /// The portable twin.
    Portable,
}

/// Runs an algorithm.
#[inline]
pub fn run<W: Work>(work: W, lanes: Lanes) -> W::Out {
    match lanes {
        #[cfg(target_arch = "x86_64")]
        Lanes::Widest => wide::run(work).unwrap_or_else(|work| work.run(portable::Portable)),
        _ => work.run(portable::Portable),
    }
}

/// Whether products of bytes are one instruction.
pub fn has_bytes(lanes: Lanes) -> bool {
    struct Ask;
    impl Work for Ask {
        type Out = bool;
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> bool {
            simd.has_bytes()
        }
    }
    run(Ask, lanes)
}
