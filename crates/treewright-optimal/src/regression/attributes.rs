//! Columns that belong together: cuts of one number, levels of one category, or a few others.
//!
//! The bits of such columns show few patterns. A row adds to one cell for each pair of attributes, instead of to one for
//! each pair of columns; sums for pairs of columns are then sums over cells.

use super::sample::Sample;

/// Few unrelated columns may share an attribute up to so many patterns.
const FREE_PATTERNS: usize = 16;
/// Related columns, up to so many.
const MOST_PATTERNS: usize = 250;

/// How to get the sums of a column from those of patterns.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// Whether to begin with the sums of the column before.
    pub after_last: bool,
    /// Patterns to add, and patterns to take away.
    pub add: Vec<u8>,
    /// Patterns of the column before that this one does not have.
    pub remove: Vec<u8>,
}

/// Neighboring columns and the patterns of their bits.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The columns, in the order in which their sums are found.
    pub columns: Vec<usize>,
    /// One recipe for each column.
    pub recipes: Vec<Recipe>,
    /// Whether each recipe just adds the pattern of its own place: so for cuts of a number and levels of a category.
    pub is_simple: bool,
    /// For each column, 1 if its recipe begins with the column before, else 0.
    pub keeps: Vec<f64>,
    /// The number of patterns.
    pub patterns: usize,
}

/// The attributes of a sample.
#[derive(Debug, Default)]
pub struct Attributes {
    /// The attributes, which take all columns in order.
    pub list: Vec<Attribute>,
    /// The pattern of each group in each attribute, attribute after attribute.
    pub patterns: Vec<u8>,
}

/// An attribute that is being put together.
struct Growing {
    first: usize,
    /// The pattern of each group.
    of: Vec<u8>,
    /// The bits of each pattern.
    bits: Vec<Vec<bool>>,
}

impl Growing {
    fn new(first: usize, groups: usize) -> Growing {
        Growing { first, of: vec![0; groups], bits: vec![Vec::new()] }
    }

    /// Adds a column, unless that makes too many patterns.
    fn grow(&mut self, sample: &Sample, column: usize) -> bool {
        let mut numbers: Vec<[Option<u8>; 2]> = vec![[None; 2]; self.bits.len()];
        let mut bits = Vec::new();
        let mut of = Vec::with_capacity(self.of.len());
        for (group, &old) in self.of.iter().enumerate() {
            let bit = sample.bit(group as u32, column);
            let place = &mut numbers[usize::from(old)][usize::from(bit)];
            let new = *place.get_or_insert_with(|| {
                let mut pattern = self.bits[usize::from(old)].clone();
                pattern.push(bit);
                bits.push(pattern);
                (bits.len() - 1) as u8
            });
            of.push(new);
            if bits.len() > MOST_PATTERNS {
                return false;
            }
        }
        let width = self.bits[0].len();
        let is_related = bits.len() <= self.bits.len() + 1;
        // Cuts of one number and levels of one category stay among themselves: their sums are found by one addition.
        let is_alone = width > 1 && self.bits.len() == width + 1;
        if width == 0 || is_related || bits.len() <= FREE_PATTERNS && !is_alone {
            (self.of, self.bits) = (of, bits);
            return true;
        }
        false
    }

    /// The attribute; patterns get new numbers where that makes it simple.
    fn finish(&mut self) -> Attribute {
        let width = self.bits.first().map_or(0, Vec::len);
        let upward: Vec<usize> = (0..width).collect();
        let downward: Vec<usize> = upward.iter().rev().copied().collect();
        let orders = [upward, downward];
        let mut recipes = orders.each_ref().map(|order| self.write_recipes(order));
        let work =
            |recipes: &[Recipe]| recipes.iter().map(|recipe| recipe.add.len() + recipe.remove.len()).sum::<usize>();
        let chosen = usize::from(work(&recipes[1]) < work(&recipes[0]));
        let adds_one = |recipe: &Recipe| recipe.add.len() == 1 && recipe.remove.is_empty();
        let is_simple = recipes[chosen].iter().all(adds_one) && self.put_in_order(&recipes[chosen]);
        if is_simple {
            recipes[chosen].iter_mut().enumerate().for_each(|(place, recipe)| recipe.add[0] = place as u8);
        }
        let columns = orders[chosen].iter().map(|column| self.first + column).collect();
        let recipes = std::mem::take(&mut recipes[chosen]);
        let keeps = recipes.iter().map(|recipe| f64::from(u8::from(recipe.after_last))).collect();
        Attribute { columns, recipes, is_simple, keeps, patterns: self.bits.len() }
    }

    /// How to find the sums of the columns in an order.
    fn write_recipes(&self, order: &[usize]) -> Vec<Recipe> {
        let choose = |belongs: &dyn Fn(&[bool]) -> bool| -> Vec<u8> {
            (0..self.bits.len()).filter(|&pattern| belongs(&self.bits[pattern])).map(|pattern| pattern as u8).collect()
        };
        let recipe = |place: usize| {
            let column = order[place];
            let alone = Recipe { add: choose(&|bits| bits[column]), ..Recipe::default() };
            if place == 0 {
                return alone;
            }
            let last = order[place - 1];
            let add = choose(&|bits| bits[column] && !bits[last]);
            let remove = choose(&|bits| !bits[column] && bits[last]);
            let change = Recipe { after_last: true, add, remove };
            if change.add.len() + change.remove.len() < alone.add.len() { change } else { alone }
        };
        (0..order.len()).map(recipe).collect()
    }

    /// Numbers the patterns that recipes add, one each, by the recipes; false if two add the same.
    fn put_in_order(&mut self, recipes: &[Recipe]) -> bool {
        let mut number: Vec<Option<u8>> = vec![None; self.bits.len()];
        for (place, recipe) in recipes.iter().enumerate() {
            if number[usize::from(recipe.add[0])].replace(place as u8).is_some() {
                return false;
            }
        }
        let others = number.iter_mut().filter(|number| number.is_none());
        others.zip(recipes.len()..).for_each(|(number, next)| *number = Some(next as u8));
        self.of.iter_mut().for_each(|pattern| *pattern = number[usize::from(*pattern)].unwrap_or(0));
        true
    }
}

impl Attributes {
    /// Puts neighboring columns together.
    pub fn new(sample: &Sample) -> Attributes {
        let groups = sample.groups.len();
        let mut done: Vec<Growing> = Vec::new();
        for column in 0..sample.columns() {
            if !done.last_mut().is_some_and(|last| last.grow(sample, column)) {
                let mut next = Growing::new(column, groups);
                next.grow(sample, column);
                done.push(next);
            }
        }
        let list = done.iter_mut().map(Growing::finish).collect();
        let patterns = done.iter().flat_map(|attribute| attribute.of.iter().copied()).collect();
        Attributes { list, patterns }
    }
}
