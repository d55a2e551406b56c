//! The best trees of one question for both sides of a cut, for any number of classes, weights and sizes of leaves.

use super::codes::Code;
use super::node::Node;
use super::table::Table;

/// What a part of a node costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartCost {
    /// No tree costs less, even one with leaves of any size. It never falls when rows are added.
    pub floor: i64,
    /// The cost of the best tree whose leaves are large enough.
    pub cost: i64,
}

/// Finds the best questions; keeps its room.
#[derive(Debug, Default)]
pub struct Counts {
    members: Vec<(u32, u32)>,
    right_before: Vec<i64>,
    weights: Vec<i64>,
}

impl Counts {
    /// The costs of the best trees of at most one question for the rows below a cut and for the others.
    pub fn costs<T: Code>(&mut self, table: &Table<T>, node: &Node<T>, feature: usize, cut: T) -> [PartCost; 2] {
        let none = PartCost { floor: i64::MAX, cost: i64::MAX };
        let mut costs = [none; 2];
        for order in 0..node.columns {
            let (codes, rows) = (node.codes(feature, order), node.rows(order));
            for (side, best) in costs.iter_mut().enumerate() {
                self.members.clear();
                let on_side = |&(i, _): &(usize, &u32)| usize::from(codes[i] >= cut) == side;
                let own = rows.iter().enumerate().filter(on_side);
                self.members.extend(own.map(|(_, &row)| (row, table.codes[order][row as usize].place() as u32)));
                let question = self.best_question(table);
                *best = PartCost { floor: best.floor.min(question.floor), cost: best.cost.min(question.cost) };
            }
        }
        costs
    }

    /// The least cost of a leaf or of one question on the members' own codes, which ascend.
    fn best_question<T: Code>(&mut self, table: &Table<T>) -> PartCost {
        let total = self.count_right_before(table);
        let (rules, count) = (table.rules, self.members.len());
        let most_weight = self.right_before[count];
        let leaf = rules.leaf + rules.unit * (total - most_weight);
        let mut best = PartCost { floor: leaf, cost: leaf };
        self.weights.fill(0);
        let mut most = 0;
        for i in (1..count).rev() {
            let (row, code) = self.members[i];
            let class = &mut self.weights[table.class[row as usize] as usize];
            *class += i64::from(table.weight[row as usize]);
            most = most.max(*class);
            if self.members[i - 1].1 != code {
                let cost = 2 * rules.leaf + rules.unit * (total - self.right_before[i] - most);
                best.floor = best.floor.min(cost);
                if i.min(count - i) >= rules.min_leaf {
                    best.cost = best.cost.min(cost);
                }
            }
        }
        best
    }

    /// For each number of members from the front, the weight that their most frequent class has; returns the weight of
    /// all members.
    fn count_right_before<T: Code>(&mut self, table: &Table<T>) -> i64 {
        self.weights.clear();
        self.weights.resize(table.rules.classes.max(1), 0);
        self.right_before.clear();
        self.right_before.push(0);
        let (mut most, mut total) = (0, 0);
        for &(row, _) in &self.members {
            let weight = i64::from(table.weight[row as usize]);
            let class = &mut self.weights[table.class[row as usize] as usize];
            *class += weight;
            total += weight;
            most = most.max(*class);
            self.right_before.push(most);
        }
        total
    }
}
