//! How far numbers may differ that count as equal. Every constant here decides ties or allows for rounding; to change one
//! changes trees.

/// Gains that differ by no more than this, per unit of weight, are tied, and ties go to the first column.
///
/// Two columns of mathematically equal gain are computed by different additions; without a tolerance the last bit
/// of their rounding would decide, and the slow twin in `reference.py` would decide otherwise.
pub const TIE: f64 = 1e-9;

/// Divisions whose costs differ by no more than this share of the node's cost are equally good: rounding decides no tie.
pub const ROUNDING: f64 = 1e-13;

/// Gains may fall this much short of the average, and a split must carry more information than this.
pub const AVERAGE_GAIN: f64 = 1e-3;

/// Shares are quotients of sums: 9/10 must count as 0.9.
pub const SHARE: f64 = 1e-12;

/// Risks that differ by less than this share of the root's risk are equal, and so are prices of subtrees.
pub const RISK: f64 = 1e-12;

/// Expected costs of answers that differ by less than this share are equal.
pub const EXPECTED_COST: f64 = 1e-12;

/// Errors of a subtree and of a leaf in its place that differ by less than this are equal, where errors are estimated.
pub const ESTIMATED_ERRORS: f64 = 1e-6;

/// The same where training errors are counted.
pub const TRAINING_ERRORS: f64 = 1e-3;

/// How far below its true value an estimate of what a cut saves may lie, relative to that value.
pub const ESTIMATE_SLACK: f64 = 2e-6;

/// How far apart estimates may be of cuts that save the same, relative to them.
pub const ESTIMATE_TIE: f32 = 4e-6;

/// Estimates from bins of a stump, in double precision, are off by less than this share of the node's cost.
pub const STUMP_SLACK: f64 = 1e-11;

/// The relative error of a sum of logarithms of counts.
pub const LOGARITHM_NOISE: f64 = 1e-11;

/// The relative error of a product of weights.
pub const WEIGHT_NOISE: f64 = 1e-15;

/// More noise than this share of a node's cost may decide between two cuts inside a bin.
pub const LOUD_NOISE: f64 = 1e-10;

/// The least that a side of a cut weighs, told in the lightest row, less all that rounding can take from it.
pub const LIGHTEST_SIDE: f64 = 1.0 - 1e-6;

/// The gain of a split by gradients must be more than this share of what the node is worth: less is rounding.
pub const GRADIENT_ROUNDING: f64 = 1e-11;

/// Squared units of gradients that rounding alone may seem to save, at most: the largest of thousands of sums of chance.
pub const GRADIENT_NOISE: f64 = 8.0;
