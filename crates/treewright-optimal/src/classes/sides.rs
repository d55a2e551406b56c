//! The counts of one set of rows: in all, and by column.

use super::lanes::{Count, PAD, WORD};

/// Some rows of a node that have the same class and the same weight, 2^shift. Their words follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The class.
    pub class: usize,
    /// The weight is 2^shift.
    pub shift: u32,
    /// Whether these rows count for the minimum leaf. A row of weight 5 is held as one of weight 1, which counts, and
    /// one of weight 4, which does not.
    pub counted: bool,
    /// The number of rows.
    pub rows: usize,
}

impl Part {
    /// The number of words of 16 rows.
    #[inline(always)]
    pub fn words(&self) -> usize {
        self.rows.div_ceil(WORD)
    }

    /// The weight of all rows.
    #[inline(always)]
    pub fn weight(&self) -> i32 {
        (self.rows as i32) << self.shift
    }
}

/// How the counts of a node are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Two classes: one number, the weight of class 1 less the weight of class 0, and the number of rows if there is a
    /// minimum leaf.
    Net {
        /// The fewest rows in a leaf.
        min_leaf: i32,
    },
    /// A number for each of several classes, and the number of rows if there is a minimum leaf.
    Classes {
        /// The number of classes.
        classes: usize,
        /// The fewest rows in a leaf.
        min_leaf: i32,
    },
}

impl Counting {
    /// The cheapest way to count so many classes.
    pub fn of(classes: usize, min_leaf: i32) -> Counting {
        if classes == 2 { Counting::Net { min_leaf } } else { Counting::Classes { classes, min_leaf } }
    }

    /// The number of counts that are kept for a set of rows.
    pub fn planes(self) -> usize {
        match self {
            Counting::Net { min_leaf } => 1 + usize::from(min_leaf > 1),
            Counting::Classes { classes, min_leaf } => classes + usize::from(min_leaf > 1),
        }
    }

    /// How the rows of a part enter a plane: not at all, or 2^shift times, negative or not.
    #[inline(always)]
    pub fn factor(self, plane: usize, part: &Part) -> Option<(bool, u32)> {
        match self {
            Counting::Net { .. } if plane == 0 => Some((part.class == 0, part.shift)),
            Counting::Classes { classes, .. } if plane < classes => {
                (part.class == plane).then_some((false, part.shift))
            }
            _ => part.counted.then_some((false, 0)),
        }
    }

    /// The errors of leaves with so much gain among rows of this weight. The gain of a leaf is the weight of its class,
    /// or the absolute value of its net count.
    #[inline(always)]
    pub fn errors(self, weight: i32, gain: i32) -> i32 {
        match self {
            Counting::Net { .. } => (weight - gain) / 2,
            Counting::Classes { .. } => weight - gain,
        }
    }

    /// The gain of a set of rows as one leaf.
    #[inline(always)]
    pub fn leaf_gain(self, totals: &[i32]) -> i32 {
        match self {
            Counting::Net { .. } => totals[0].abs(),
            Counting::Classes { classes, .. } => totals[..classes].iter().copied().max().unwrap_or(0),
        }
    }
}

/// The counts of one set of rows.
#[derive(Debug, Default)]
pub struct Side<C> {
    /// The weight of all rows.
    pub weight: i32,
    /// The number of rows that count.
    pub rows: i32,
    /// The counts of all rows, by plane.
    pub totals: Vec<i32>,
    /// The counts of the rows with a one in each column, by plane.
    pub ones: Vec<C>,
    /// Their weight.
    pub weights: Vec<C>,
    /// For each column: the most gain of the rows with a one there, divided once more or not at all.
    pub best_ones: Vec<C>,
    /// The same for the rows with a zero.
    pub best_zeros: Vec<C>,
}

impl<C: Count> Side<C> {
    /// Makes room for so many padded columns.
    pub fn resize(&mut self, planes: usize, width: usize) {
        self.totals.resize(planes, 0);
        self.ones.resize(planes * width, C::default());
        for lanes in [&mut self.weights, &mut self.best_ones, &mut self.best_zeros] {
            lanes.resize(width, C::default());
        }
    }

    /// Sets the counts of all rows.
    pub fn set_totals(&mut self, counting: Counting, parts: &[Part]) {
        self.weight = parts.iter().map(Part::weight).sum();
        self.rows = parts.iter().filter(|part| part.counted).map(|part| part.rows as i32).sum();
        for (plane, total) in self.totals.iter_mut().enumerate() {
            *total = 0;
            for part in parts {
                if let Some((negative, shift)) = counting.factor(plane, part) {
                    let weight = (part.rows as i32) << shift;
                    *total += if negative { -weight } else { weight };
                }
            }
        }
    }

    /// Becomes the rows of the node that are not in the other set.
    pub fn set_rest(&mut self, node: &Side<C>, other: &Side<C>) {
        self.weight = node.weight - other.weight;
        self.rows = node.rows - other.rows;
        let rest = |a: &C, b: &C| C::from_i32((*a).into() - (*b).into());
        for ((own, node), other) in self.totals.iter_mut().zip(&node.totals).zip(&other.totals) {
            *own = node - other;
        }
        for ((own, node), other) in self.ones.iter_mut().zip(&node.ones).zip(&other.ones) {
            *own = rest(node, other);
        }
        for ((own, node), other) in self.weights.iter_mut().zip(&node.weights).zip(&other.weights) {
            *own = rest(node, other);
        }
    }

    /// Becomes the set without rows.
    pub fn clear(&mut self) {
        self.weight = 0;
        self.rows = 0;
        self.totals.fill(0);
        self.ones.fill(C::default());
        self.weights.fill(C::default());
    }
}

/// So many columns, padded.
pub fn padded(columns: usize) -> usize {
    columns.next_multiple_of(PAD).max(PAD)
}
