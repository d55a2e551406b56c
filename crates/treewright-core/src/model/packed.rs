//! How trees combine, as the columns of a file have it: words as numbers, and the lists. A mean has no such columns.

use super::columns::layout;
use super::combine::{Combine, HOWS, LINKS};
use crate::Result;
use safetensors::tensor::Metadata;

/// How long the lists are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CombineShape {
    /// Sums that begin somewhere.
    pub base: usize,
    /// Trees with a scale: all or none.
    pub scales: usize,
    /// Trees with a target: all or none.
    pub targets: usize,
}

impl CombineShape {
    /// The lengths, unless it is the mean.
    pub fn of(combine: &Combine) -> Option<CombineShape> {
        let shape =
            CombineShape { base: combine.base.len(), scales: combine.scales.len(), targets: combine.targets.len() };
        (*combine != Combine::mean()).then_some(shape)
    }

    /// The lengths that a file says; nothing where it has no such columns.
    pub fn read(metadata: &Metadata) -> Option<CombineShape> {
        let length = |name: &str| metadata.info(name).and_then(|info| info.shape.first().copied());
        length("combine")?;
        Some(CombineShape { base: length("base")?, scales: length("scales")?, targets: length("targets")? })
    }
}

/// The columns.
#[derive(Default)]
pub(super) struct Packed {
    pub words: Vec<u16>,
    pub base: Vec<f64>,
    pub scales: Vec<f64>,
    pub targets: Vec<u32>,
}

impl Packed {
    pub fn of(combine: &Combine) -> Packed {
        let how = HOWS.iter().position(|(_, how)| *how == combine.how).unwrap_or(0);
        let link = LINKS.iter().position(|(_, link)| *link == combine.link).unwrap_or(0);
        Packed {
            words: vec![how as u16, link as u16],
            base: combine.base.clone(),
            scales: combine.scales.clone(),
            targets: combine.targets.clone(),
        }
    }

    /// What the columns say; no columns say the mean.
    pub fn unpacked(self) -> Result<Combine> {
        let words = match self.words[..] {
            [] => return Ok(Combine::mean()),
            [how, link] => HOWS.get(how as usize).zip(LINKS.get(link as usize)),
            _ => None,
        };
        let ((_, how), (_, link)) = words.ok_or_else(|| layout("its trees combine in an unknown way"))?;
        Ok(Combine { how: *how, link: *link, base: self.base, scales: self.scales, targets: self.targets })
    }
}
