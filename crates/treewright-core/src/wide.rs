//! Wide instructions: whether the processor has them, and functions that are compiled for both cases.

/// The instructions in use. [`Isa::detect`] is the only way to get the wide ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    wide: bool,
}

impl Isa {
    /// What any processor can do.
    pub const PLAIN: Isa = Isa { wide: false };

    /// The best that this processor can do.
    pub fn detect() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            let wide = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            Isa { wide }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Isa::PLAIN
    }

    /// Whether the wide instructions are there.
    pub fn is_wide(self) -> bool {
        self.wide
    }
}

/// A function that is compiled twice: for any processor and for one with wide instructions. The first argument says which
/// runs. Floating point is not touched: no operation is fused or reordered, so the bits are equal.
macro_rules! twins {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name(isa: $crate::wide::Isa, $($arg: $type),*) $(-> $out)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn plain($($arg: $type),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
            #[allow(clippy::too_many_arguments)]
            fn wide($($arg: $type),*) $(-> $out)? {
                plain($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            if isa.is_wide() {
                // SAFETY: `Isa::detect` has seen that the processor has these instructions.
                return unsafe { wide($($arg),*) };
            }
            let _ = isa;
            plain($($arg),*)
        }
    };
}
pub(crate) use twins;
