//! Many trees, kept by their parts, and how many there are.

/// Numbers of trees by their cost, ascending.
pub type Tally = Vec<(i64, u128)>;

/// The trees of a set of rows that cost little enough.
#[derive(Debug, Default)]
pub struct Trees {
    /// The cost of a leaf.
    pub leaf: Option<i64>,
    /// Questions with a leaf on either side: their columns and costs.
    pub questions: Vec<(usize, i64)>,
    /// Questions with trees on either side.
    pub roots: Vec<Root>,
}

/// A question and the trees on both of its sides.
#[derive(Debug)]
pub struct Root {
    /// The column.
    pub column: usize,
    /// The trees for zeros and for ones.
    pub sides: Box<[Trees; 2]>,
    /// The cost of two leaves with the same answer, which are not counted.
    pub idle: Option<i64>,
}

impl Trees {
    /// How many trees without a column cost no more than `most`.
    pub fn count_without(&self, left_out: Option<usize>, most: i64) -> u128 {
        self.tally(left_out, most).iter().fold(0, |sum: u128, &(_, count)| sum.saturating_add(count))
    }

    /// The trees without a column that cost no more than `most`.
    pub fn tally(&self, left_out: Option<usize>, most: i64) -> Tally {
        let mut tally: Tally = self.leaf.map(|cost| (cost, 1)).into_iter().collect();
        let questions = self.questions.iter().filter(|(column, _)| Some(*column) != left_out);
        tally.extend(questions.map(|&(_, cost)| (cost, 1)));
        tally.retain(|&(cost, _)| cost <= most);
        for root in self.roots.iter().filter(|root| Some(root.column) != left_out) {
            tally.extend(root.tally(left_out, most));
            merge(&mut tally);
        }
        merge(&mut tally);
        tally
    }
}

impl Root {
    /// The trees with this root, without a column, that cost no more than `most`.
    pub fn tally(&self, left_out: Option<usize>, most: i64) -> Tally {
        let mut tally = Tally::new();
        let left = self.sides[0].tally(left_out, most);
        let Some(&(cheapest, _)) = left.first() else {
            return tally;
        };
        let right = self.sides[1].tally(left_out, most - cheapest);
        for &(left_cost, left_count) in &left {
            for &(right_cost, right_count) in right.iter().take_while(|(cost, _)| left_cost + cost <= most) {
                tally.push((left_cost + right_cost, left_count.saturating_mul(right_count)));
            }
        }
        merge(&mut tally);
        if let Some(entry) = tally.iter_mut().find(|entry| Some(entry.0) == self.idle) {
            entry.1 -= 1;
        }
        tally.retain(|entry| entry.1 > 0);
        tally
    }
}

/// Sorts a tally and adds what costs the same.
fn merge(tally: &mut Tally) {
    tally.sort_unstable_by_key(|entry| entry.0);
    tally.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.saturating_add(next.1);
        }
        same
    });
}
