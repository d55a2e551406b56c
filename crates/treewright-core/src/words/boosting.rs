//! The words of gradient boosting.

use super::{Words, part};
use crate::boost::Plan;
use crate::boost::stop::Patience;
use crate::loss::Loss;
use crate::rows::bins::TreeRules;
use crate::rows::bins::interactions::Interactions;
use crate::simd::Isa;
use crate::{Error, Result};

/// The words for losses; the quantile, the power and the number of classes are filled in later.
const LOSSES: &Words<Loss> = &[
    ("squared", Loss::Squared),
    ("absolute", Loss::Absolute),
    ("quantile", Loss::Quantile(0.0)),
    ("huber", Loss::Huber(0.0)),
    ("poisson", Loss::Poisson),
    ("gamma", Loss::Gamma),
    ("tweedie", Loss::Tweedie(0.0)),
    ("logistic", Loss::Logistic),
    ("softmax", Loss::Softmax(0)),
];

/// What a boosting recipe says, as it crosses the boundary.
#[derive(Clone, Debug, Default)]
pub struct BoostWords {
    /// The loss.
    pub loss: String,
    /// The quantile of the losses that have one.
    pub quantile: f64,
    /// The power of the variance of [`Loss::Tweedie`].
    pub power: f64,
    /// How many classes; 0 for numbers.
    pub classes: usize,
    /// See [`Plan::rate`].
    pub rate: f64,
    /// See [`TreeRules::max_leaves`].
    pub max_leaves: Option<u32>,
    /// See [`TreeRules::max_depth`].
    pub max_depth: Option<u32>,
    /// See [`TreeRules::min_leaf`].
    pub min_leaf: u32,
    /// See [`TreeRules::min_gain`].
    pub min_gain: f64,
    /// See [`TreeRules::l2`].
    pub l2: f64,
    /// See [`TreeRules::max_features`].
    pub max_features: Option<usize>,
    /// See [`TreeRules::monotone`].
    pub monotone: Vec<i8>,
    /// See [`TreeRules::interactions`].
    pub interactions: Vec<Vec<u32>>,
    /// See [`Plan::max_bins`].
    pub max_bins: usize,
    /// See [`Plan::subsample`].
    pub subsample: f64,
    /// See [`Plan::seed`].
    pub seed: u64,
    /// See [`Patience::rounds`]; None never stops early.
    pub patience: Option<u32>,
    /// See [`Patience::tolerance`].
    pub tolerance: f64,
    /// See [`Plan::tell`].
    pub tell: bool,
    /// Whether splits are exact, not between bins.
    pub exact: bool,
    /// See [`Plan::threads`].
    pub threads: usize,
    /// Whether to use the portable tier of instructions ([`crate::simd`]). The trees do not depend on it.
    pub plain: bool,
}

impl BoostWords {
    /// The plan that the words stand for.
    pub fn plan(&self) -> Result<Plan> {
        let bad = |what: &str| Err(Error::data("recipe.boost", format!("{what} is out of range")));
        let share = |x: f64| x > 0.0 && x < 1.0;
        if !(self.rate.is_finite() && self.l2.is_finite() && self.l2 >= 0.0 && self.min_gain >= 0.0) {
            return bad("a number");
        }
        if !(self.subsample > 0.0 && self.subsample <= 1.0) || self.max_features == Some(0) {
            return bad("a share");
        }
        Ok(Plan {
            loss: self.loss(share(self.quantile))?,
            rate: self.rate,
            rules: TreeRules {
                l2: self.l2,
                min_leaf: self.min_leaf.max(1),
                max_leaves: self.max_leaves,
                max_depth: self.max_depth.unwrap_or(u32::MAX),
                min_gain: self.min_gain,
                max_features: self.max_features,
                monotone: self.monotone.clone(),
                interactions: Interactions::new(self.interactions.clone()),
                isa: if self.plain { Isa::PORTABLE } else { Isa::detect() },
            },
            subsample: self.subsample,
            max_bins: self.max_bins,
            seed: self.seed,
            patience: self.patience.map(|rounds| Patience { rounds, tolerance: self.tolerance }),
            tell: self.tell,
            threads: self.threads,
        })
    }

    fn loss(&self, is_share: bool) -> Result<Loss> {
        let loss = match part("loss", &self.loss, LOSSES)? {
            Loss::Quantile(_) => Loss::Quantile(self.quantile),
            Loss::Huber(_) => Loss::Huber(self.quantile),
            Loss::Tweedie(_) => Loss::Tweedie(self.power),
            Loss::Softmax(_) => Loss::Softmax(self.classes),
            other => other,
        };
        let of_classes = matches!(loss, Loss::Logistic | Loss::Softmax(_));
        let with_share = matches!(loss, Loss::Quantile(_) | Loss::Huber(_));
        let fits = of_classes == (self.classes > 0)
            && (loss != Loss::Logistic || self.classes <= 2)
            && (!with_share || is_share)
            && (!matches!(loss, Loss::Tweedie(_)) || (self.power > 1.0 && self.power < 2.0));
        if fits { Ok(loss) } else { Err(Error::data("recipe.loss", "the loss does not fit the target")) }
    }
}
