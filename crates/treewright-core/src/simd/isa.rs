//! The tier of instructions in use, and functions that are compiled for every tier.

use std::sync::OnceLock;

/// A set of instructions that the core has code for, the slowest first. See [`crate::simd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// What the compiler may assume of any processor of the architecture.
    Portable,
    /// NEON, on every 64-bit ARM processor.
    Neon,
    /// AVX2 with FMA and BMI2 (x86-64-v3).
    Avx2,
    /// AVX-512 with VBMI2, VNNI and BITALG.
    Avx512,
}

impl Tier {
    const ALL: [Tier; 4] = [Tier::Portable, Tier::Neon, Tier::Avx2, Tier::Avx512];

    /// Its name, as in `TREEWRIGHT_SIMD`.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Portable => "portable",
            Tier::Neon => "neon",
            Tier::Avx2 => "avx2",
            Tier::Avx512 => "avx512",
        }
    }

    /// The tier with this name in `TREEWRIGHT_SIMD`.
    fn named(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name)
    }

    /// The tiers that this processor runs, the slowest first.
    fn supported() -> &'static [Tier] {
        static TIERS: OnceLock<Vec<Tier>> = OnceLock::new();
        TIERS.get_or_init(|| {
            let runs = [
                (Tier::Portable, true),
                (Tier::Neon, cfg!(target_arch = "aarch64")),
                (Tier::Avx2, has_avx2()),
                (Tier::Avx512, has_avx2() && has_avx512()),
            ];
            runs.into_iter().filter(|(_, runs)| *runs).map(|(tier, _)| tier).collect()
        })
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512bitalg")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

/// The instructions in use. The field is private: an `Isa` of a tier is the proof that the processor runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    tier: Tier,
}

impl Isa {
    /// What any processor can do.
    pub const PORTABLE: Isa = Isa { tier: Tier::Portable };

    /// The best tier of this processor, or what `TREEWRIGHT_SIMD` asks for.
    #[inline]
    pub fn detect() -> Isa {
        static CHOSEN: OnceLock<Isa> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let wanted = std::env::var("TREEWRIGHT_SIMD").ok().and_then(|name| Tier::named(&name));
            Isa { tier: choose(Tier::supported(), wanted) }
        })
    }

    /// Every tier that this processor runs, portable first: what tests loop over.
    pub fn all() -> impl Iterator<Item = Isa> {
        Tier::supported().iter().map(|&tier| Isa { tier })
    }

    /// The tier.
    #[inline(always)]
    pub fn tier(self) -> Tier {
        self.tier
    }
}

/// The tier that is asked for, or the best of those below it.
fn choose(supported: &[Tier], wanted: Option<Tier>) -> Tier {
    let allowed = |tier: &&Tier| wanted.is_none_or(|wanted| **tier <= wanted);
    supported.iter().rfind(allowed).copied().unwrap_or(Tier::Portable)
}

/// Compiles a safe function for every tier; its first argument, an [`Isa`], says which form runs. A function over registers
/// has `<S: Simd>` and `simd: S` first, and is given those of the tier. Rust neither fuses nor reorders floating-point
/// operations, so all forms give the same bits. What the function calls for each element must be `#[inline(always)]`, or it
/// is compiled without the tier's instructions. The dispatch is one or two compared bytes.
macro_rules! multiversion {
    (
        $(#[$doc:meta])* $vis:vis fn $name:ident <S: Simd $(, $t:ident: $bound:path)?>
        ($simd:ident: S $(, $arg:ident: $type:ty)* $(,)?) $(-> $out:ty)? $body:block
    ) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name $(<$t: $bound>)? (isa: $crate::simd::Isa, $($arg: $type),*) $(-> $out)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn over_registers<S: $crate::simd::Simd $(, $t: $bound)?> ($simd: S, $($arg: $type),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            #[allow(clippy::too_many_arguments)]
            fn avx2 $(<$t: $bound>)? ($($arg: $type),*) $(-> $out)? {
                over_registers::<_ $(, $t)?>($crate::simd::Avx2::new(), $($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vnni,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            #[allow(clippy::too_many_arguments)]
            fn avx512 $(<$t: $bound>)? ($($arg: $type),*) $(-> $out)? {
                over_registers::<_ $(, $t)?>($crate::simd::Avx512::new(), $($arg),*)
            }

            match isa.tier() {
                // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Tier::Avx512 => unsafe { avx512 $(::<$t>)? ($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Tier::Avx2 => unsafe { avx2 $(::<$t>)? ($($arg),*) },
                #[cfg(target_arch = "aarch64")]
                $crate::simd::Tier::Neon => over_registers::<_ $(, $t)?>($crate::simd::Neon, $($arg),*),
                _ => over_registers::<_ $(, $t)?>($crate::simd::Portable, $($arg),*),
            }
        }
    };
    ($(#[$doc:meta])* $vis:vis fn $name:ident $(<$t:ident: $bound:path>)? ($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $crate::simd::multiversion! {
            $(#[$doc])* $vis fn $name<S: Simd $(, $t: $bound)?>(_simd: S, $($arg: $type),*) $(-> $out)? $body
        }
    };
}
pub(crate) use multiversion;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_wanted_tier_is_capped_by_the_processor() {
        let intel = [Tier::Portable, Tier::Avx2];
        assert_eq!(choose(&intel, None), Tier::Avx2);
        assert_eq!(choose(&intel, Some(Tier::Avx512)), Tier::Avx2);
        assert_eq!(choose(&intel, Some(Tier::Neon)), Tier::Portable);
        assert_eq!(choose(&intel, Some(Tier::Portable)), Tier::Portable);
        assert_eq!(choose(&[Tier::Portable, Tier::Neon], Some(Tier::Avx2)), Tier::Neon);
        assert_eq!(Isa::all().next(), Some(Isa::PORTABLE));
        assert_eq!(["portable", "fast"].map(Tier::named), [Some(Tier::Portable), None]);
    }

    /// Visits all source files of a folder.
    fn each_file(folder: &Path, visit: &mut impl FnMut(&Path, &str)) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                each_file(&path, visit);
            } else if path.extension().is_some_and(|end| end == "rs") {
                visit(&path, &std::fs::read_to_string(&path).unwrap());
            }
        }
    }

    /// Visits the lines of all source files of the crate.
    fn each_line(visit: &mut impl FnMut(&Path, &str)) {
        each_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut |path, text| {
            text.lines().for_each(|line| visit(path, line));
        });
    }

    #[test]
    fn every_feature_belongs_to_a_tier_and_nothing_is_fused_in_trees() {
        let others = ["sse4.1", "avx2", "avxvnni", "fma", "bmi1", "bmi2", "lzcnt", "popcnt", "neon"];
        let avx512 = ["f", "bw", "dq", "vl", "vbmi", "vbmi2", "vnni", "bitalg"].map(|part| format!("avx512{part}"));
        let fused = [concat!("mul", "_add("), concat!("fm", "add"), concat!("fm", "sub"), concat!("vf", "ma")];
        each_line(&mut |path, line| {
            if let Some((_, list)) = line.split_once("target_feature(enable = \"") {
                for name in list.split('"').next().unwrap().split(',') {
                    assert!(others.contains(&name) || avx512.iter().any(|own| own == name), "{name} in {path:?}");
                }
            }
            let filters =
                ["simd", "neighbors"].iter().any(|part| path.components().any(|own| own.as_os_str() == *part));
            assert!(filters || !fused.iter().any(|name| line.contains(name)), "{path:?}: {line}");
        });
    }

    /// A function that is compiled without the instructions of the tier that runs it is not inlined into one that has them,
    /// and neither are its intrinsics into it: each operation then is a call. Such a function need not be written as one: a
    /// closure for `array::map` is enough, and whether it happens depends on how the crate is divided for the compiler.
    #[test]
    fn all_that_works_on_registers_is_inlined() {
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        each_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut |path, text| {
            let text = text.split("#[cfg(test)]").next().unwrap();
            let registers = path.components().any(|own| own.as_os_str() == "simd") && text.contains("use std::arch::");
            for line in text.lines().filter(is_code) {
                let called = line.contains("(|") && (registers || line.contains("_mm"));
                assert!(!called, "instructions in a closure, in {path:?}: {line}");
            }
            for (before, function) in generic_functions(text) {
                let attributes = before.rsplit("\n\n").next().unwrap();
                // What `multiversion!` is given becomes the body of a function that it inlines.
                let is_inlined = ["#[inline(always)]", "multiversion! {"].iter().any(|own| attributes.contains(own));
                assert!(is_inlined, "not inlined, in {path:?}: {function}");
            }
        });
    }

    /// The functions over [`Simd`](crate::simd::Simd) and the methods of the tiers that implement it: what comes before each,
    /// and its signature.
    fn generic_functions(text: &str) -> Vec<(&str, &str)> {
        let (mut found, mut of_registers) = (Vec::new(), false);
        for (at, _) in text.match_indices('\n') {
            let line = text[at + 1..].lines().next().unwrap_or("");
            if line.starts_with("impl") {
                of_registers = line.contains("S: Simd") || line.starts_with("impl Simd for");
            } else if line.starts_with('}') {
                of_registers = false;
            }
            let is_function = ["fn ", "pub fn ", "unsafe fn "].iter().any(|start| line.trim_start().starts_with(start));
            let end = text[at..].find(['{', ';']).map_or(text.len(), |end| at + end);
            let signature = &text[at + 1..end];
            let has_body = text[end..].starts_with('{');
            if is_function && has_body && (of_registers || signature.contains("S: Simd")) {
                found.push((&text[..at], signature));
            }
        }
        found
    }
}
