//! Rows for the tests: a small generator, and tables that are hard in different ways.

use treewright_core::prelude::{MISSING, Rows, UNSEEN};

/// Numbers that look random and are the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }

    pub fn share(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Roughly normal.
    pub fn bell(&mut self) -> f64 {
        (0..6).map(|_| self.share()).sum::<f64>() - 3.0
    }
}

/// A table column by column, as the tests' own oracle reads it.
#[derive(Clone, Default)]
pub struct Cells {
    pub count: usize,
    /// Row after row.
    pub numbers: Vec<Vec<f64>>,
    /// Column after column.
    pub codes: Vec<Vec<u32>>,
}

impl Cells {
    pub fn rows(&self) -> Rows {
        let codes: Vec<&[u32]> = self.codes.iter().map(Vec::as_slice).collect();
        Rows::new(self.count, self.numbers.concat(), &codes).unwrap()
    }

    pub fn numbers(count: usize, mut make: impl FnMut() -> Vec<f64>) -> Cells {
        Cells { count, numbers: (0..count).map(|_| make()).collect(), codes: Vec::new() }
    }
}

/// The kinds of numbers that searches have to cope with.
pub const KINDS: [&str; 10] =
    ["bell", "ties", "far", "outliers", "huge", "tiny", "vanishing", "one value", "clusters", "wide and narrow"];

/// A row of numbers of a kind.
pub fn row(dice: &mut Dice, kind: &str, columns: usize) -> Vec<f64> {
    let far = dice.below(50) == 0;
    let cluster = dice.below(3) as f64;
    let mut number = |j: usize| match kind {
        "bell" => dice.bell(),
        "ties" => dice.below(3) as f64 + 1000.0,
        "far" => 1e8 + dice.bell(),
        "outliers" => dice.bell() * if far { 1e9 } else { 1.0 },
        "huge" => dice.bell() * 1e300,
        "tiny" => dice.bell() * 1e-300,
        "vanishing" => [0.0, 1e-200, 2e-200, 1.0][if j == 0 { dice.below(4) as usize } else { 0 }],
        "one value" => 7.0,
        "clusters" => cluster * 1e4 + dice.bell() * 1e-3,
        _ => dice.bell() * libm_pow10(j),
    };
    (0..columns).map(&mut number).collect()
}

fn libm_pow10(j: usize) -> f64 {
    [1e6, 1.0, 1e-6][j % 3]
}

/// A mixed table: numbers and categories, some missing.
pub fn mixed(dice: &mut Dice, count: usize, numbers: usize, codes: usize, levels: u64, unseen: bool) -> Cells {
    let number =
        |dice: &mut Dice| if dice.below(8) == 0 { f64::NAN } else { dice.below(5) as f64 / 4.0 + dice.bell() * 0.1 };
    let code = |dice: &mut Dice| match dice.below(10) {
        0 => MISSING,
        1 if unseen => UNSEEN,
        _ => dice.below(levels) as u32,
    };
    Cells {
        count,
        numbers: (0..count).map(|_| (0..numbers).map(|_| number(dice)).collect()).collect(),
        codes: (0..codes).map(|_| (0..count).map(|_| code(dice)).collect()).collect(),
    }
}
