//! [`weave`]: a source file with switches for its mutants.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::list::{Genre, Mutant, Place, Span};

/// A part of a text, and the number of its mutant.
pub(crate) type Part = (Range<usize>, usize);

/// A source file with switches.
#[derive(Debug, Default)]
pub(crate) struct Woven {
    pub(crate) text: String,
    /// The parts of the text that are code of a mutant.
    pub(crate) mutated: Vec<Part>,
    /// The parts of the text that a switch of a mutant surrounds.
    pub(crate) switched: Vec<Part>,
    /// The mutants that a switch cannot select.
    pub(crate) left_out: Vec<usize>,
}

/// Code around a range of the source.
#[derive(Debug)]
struct Wrap {
    range: Range<usize>,
    /// Of two wraps of the same range, the lower one is outside.
    rank: u8,
    before: Vec<(String, Option<usize>)>,
    after: &'static str,
}

/// Inserts the switches of mutants into the source of their file.
///
/// # Errors
/// The source is not Rust.
pub(crate) fn weave(source: &str, mutants: &[(usize, &Mutant)]) -> syn::Result<Woven> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { source, mutants, wraps: Vec::new(), found: Vec::new() };
    finder.visit_file(&file);
    let Finder { mut wraps, found, .. } = finder;
    let left_out = mutants.iter().map(|(id, _)| *id).filter(|id| !found.contains(id)).collect();
    wraps.sort_by_key(|wrap| (wrap.range.start, std::cmp::Reverse(wrap.range.end), wrap.rank));
    Ok(Woven { left_out, ..inserted(source, &wraps) })
}

/// The source with the wraps, which are sorted, and nested or apart.
fn inserted(source: &str, wraps: &[Wrap]) -> Woven {
    let mut woven = Woven::default();
    let mut open: Vec<(&Wrap, usize)> = Vec::new();
    let mut at = 0;
    let mut copy = |woven: &mut Woven, to: usize| {
        woven.text.push_str(source.get(at..to).unwrap_or_default());
        at = to;
    };
    for wrap in wraps {
        while let Some((outer, start)) =
            open.pop_if(|(outer, _)| outer.range.end <= wrap.range.start)
        {
            copy(&mut woven, outer.range.end);
            close(&mut woven, outer, start);
        }
        copy(&mut woven, wrap.range.start);
        let start = woven.text.len();
        for (code, id) in &wrap.before {
            let from = woven.text.len();
            woven.text.push_str(code);
            woven.mutated.extend(id.map(|id| (from..woven.text.len(), id)));
        }
        open.push((wrap, start));
    }
    while let Some((outer, start)) = open.pop() {
        copy(&mut woven, outer.range.end);
        close(&mut woven, outer, start);
    }
    copy(&mut woven, source.len());
    woven
}

fn close(woven: &mut Woven, wrap: &Wrap, start: usize) {
    woven.text.push_str(wrap.after);
    let ids = wrap.before.iter().filter_map(|(_, id)| *id);
    woven.switched.extend(ids.map(|id| (start..woven.text.len(), id)));
}

/// The call of a switch.
fn switch(id: usize) -> String {
    format!("crate::mutant_switch::is_on({id})")
}

struct Finder<'s> {
    source: &'s str,
    mutants: &'s [(usize, &'s Mutant)],
    wraps: Vec<Wrap>,
    found: Vec<usize>,
}

impl Finder<'_> {
    /// The mutants of a genre at a span.
    fn at(&self, genre: Genre, span: proc_macro2::Span) -> Vec<(usize, String)> {
        let place = |at: proc_macro2::LineColumn| Place {
            line: at.line,
            column: at.column.saturating_add(1),
        };
        let span = Span { start: place(span.start()), end: place(span.end()) };
        let all = self.mutants.iter().filter(|(_, m)| m.genre == genre && m.span == span);
        all.map(|(id, mutant)| (*id, mutant.replacement.clone())).collect()
    }

    fn text(&self, range: Range<usize>) -> &str {
        self.source.get(range).unwrap_or_default()
    }

    fn wrap(
        &mut self,
        range: Range<usize>,
        rank: u8,
        before: Vec<(String, Option<usize>)>,
        after: &'static str,
    ) {
        self.found.extend(before.iter().filter_map(|(_, id)| *id));
        self.wraps.push(Wrap { range, rank, before, after });
    }

    /// `(if SWITCH { MUTATED } else if ... else { ORIGINAL })`.
    fn choose(&mut self, range: Range<usize>, rank: u8, mutated: Vec<(usize, String)>) {
        if mutated.is_empty() {
            return;
        }
        let mut before = vec![("(".to_owned(), None)];
        for (id, code) in mutated {
            before.push((format!("if {} {{ {code} }} else ", switch(id)), Some(id)));
        }
        before.push(("{ ".to_owned(), None));
        self.wrap(range, rank, before, " })");
    }

    fn body(&mut self, block: &syn::Block) {
        let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) else { return };
        let Some(span) = first.span().join(last.span()) else { return };
        let mutated = self.at(Genre::FnValue, span);
        let code = |(id, value): (usize, String)| {
            (format!("if {} {{ return {value}; }} ", switch(id)), Some(id))
        };
        if !mutated.is_empty() {
            self.wrap(span.byte_range(), 0, mutated.into_iter().map(code).collect(), "");
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    // No switch is on in a constant, so a test cannot reach a mutant there.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    // The discriminant of a variant is a constant.
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    // The length of an array is a constant, as an argument in braces is.
    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        if !matches!(argument, syn::GenericArgument::Const(_)) {
            visit::visit_generic_argument(self, argument);
        }
    }

    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.visit_type(&array.elem);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.body(&function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.body(&function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let (left, right) = (binary.left.span().byte_range(), binary.right.span().byte_range());
        let mutated = self.at(Genre::BinaryOperator, binary.op.span()).into_iter();
        let code = |(id, operator)| {
            (id, format!("{} {operator} {}", self.text(left.clone()), self.text(right.clone())))
        };
        let mutated = mutated.map(code).collect();
        // A chain of `let` is a condition, not a value.
        if !has_let(&binary.left) && !has_let(&binary.right) {
            self.choose(left.start..right.end, 2, mutated);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let operand = unary.expr.span().byte_range();
        let mutated = self.at(Genre::UnaryOperator, unary.op.span()).into_iter();
        let mutated = mutated.map(|(id, _)| (id, self.text(operand.clone()).to_owned())).collect();
        self.choose(unary.span().byte_range(), 2, mutated);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, whole: &'ast syn::ExprStruct) {
        let range = whole.span().byte_range();
        let mut mutated = Vec::new();
        for field in whole.fields.pairs() {
            let span = field.value().span();
            let comma = field.punct().map(Spanned::span);
            let end = comma.unwrap_or(span).byte_range().end;
            let parts = [range.start..span.byte_range().start, end..range.end];
            let rest = parts.map(|part| self.text(part)).concat();
            let removed = self.at(Genre::StructField, span).into_iter();
            mutated.extend(removed.map(|(id, _)| (id, rest.clone())));
        }
        self.choose(range, 2, mutated);
        visit::visit_expr_struct(self, whole);
    }

    fn visit_expr_match(&mut self, whole: &'ast syn::ExprMatch) {
        // The compiler reports at the `match` that a removed arm is missing.
        let removed = whole.arms.iter().flat_map(|arm| self.at(Genre::MatchArm, arm.span()));
        for (id, _) in removed.collect::<Vec<_>>() {
            self.wrap(whole.span().byte_range(), 3, vec![(String::new(), Some(id))], "");
        }
        visit::visit_expr_match(self, whole);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let removed = self.at(Genre::MatchArm, arm.span());
        let guard = arm.guard.as_ref().map(|(_, guard)| guard);
        for (id, _) in removed {
            if let Some(guard) = guard {
                let code = format!("!{} && (", switch(id));
                self.wrap(guard.span().byte_range(), 0, vec![(code, Some(id))], ")");
            } else {
                let end = arm.pat.span().byte_range().end;
                let code = format!(" if !{}", switch(id));
                self.wrap(end..end, 0, vec![(code, Some(id))], "");
            }
        }
        if let Some(guard) = guard.filter(|guard| !has_let(guard)) {
            let mutated = self.at(Genre::MatchArmGuard, guard.span());
            self.choose(guard.span().byte_range(), 1, mutated);
        }
        visit::visit_arm(self, arm);
    }
}

/// Whether a condition has a `let`, also in a chain.
fn has_let(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}
