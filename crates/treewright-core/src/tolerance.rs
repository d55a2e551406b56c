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

/// Later divisions of several processes that leave this share of the node's cost more than the best are not chosen: more
/// than any tie.
pub const BEYOND_TIES: f64 = 4.0 * TIE;

/// Quotients of weights that are this near to a whole number are one.
pub const WHOLE_QUOTIENT: f64 = 1e-6;

/// Rounding moves a weight by far less than this share of the largest, and a unit of weights is far more.
pub const WEIGHT_UNIT: f64 = 1e-12;

/// Products of a share and a weight that are this near to a whole number, relative to it, are one.
pub const WHOLE_PRODUCT: f64 = 1e-9;

/// Figures of a node that differ by less than this, relative to them, are those that were written.
pub const SAME_FIGURES: f64 = 1e-9;

/// Shares of classes in a file add up to 1 but for this.
pub const SHARES_IN_FILE: f64 = 1e-6;

/// A surrogate that is not this much better than sending everything to the heavier side is none.
pub const SURROGATE_MERIT: f64 = 1e-10;

/// A relative error that no estimate reaches of what a cut beside surrogates saves.
pub const SURROGATE_ESTIMATE: f64 = 1e-9;

/// What remains of the least saving that pays for a cut, less all that rounding can take from it.
pub const PAID_PRICE: f64 = 1.0 - 1e-12;

/// The least weight of a leaf that gives a rule: fractions may leave a whole row a hair short.
pub const RULE_WEIGHT: f64 = 1.0 - 1e-9;

/// Bits that a change of a set of rules must save.
pub const RULE_BITS: f64 = 1e-9;

/// Expected errors of rules that are nearer than this to none or all are none or all.
pub const RULE_ERRORS: f64 = 1e-6;

/// How wrong a number is at most that is kept in single precision, as a part of it: half a step, and a little for the
/// rounding before.
pub const SINGLE_ERROR: f64 = 1.001 / (1 << 24) as f64;

/// Numbers smaller than this, and sums of their products, may be lost as a whole in single precision.
pub const SINGLE_LOST: f64 = 1e-36;
