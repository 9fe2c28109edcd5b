//! The grammar of paths, written with nom.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_until, take_while1};
use nom::character::complete::{char, digit1, multispace0};
use nom::combinator::{cut, map, map_opt, map_res, opt, peek, recognize, value, verify};
use nom::error::ErrorKind;
use nom::multi::{many_m_n, many0};
use nom::number::complete::recognize_float;
use nom::sequence::{delimited, pair, preceded, separated_pair, terminated};
use nom::{Finish as _, IResult, Parser as _};
use variant_owned::{ParseOptions, Variant, from_text_at};
use variant_view::{Key, PathStep};

use super::filter::{Comparison, Filter, Literal, Operator, Part};
use super::pattern::Pattern;
use super::{MOST_STEPS, Step, WrittenKey};

/// The deepest nesting of parentheses.
const MOST_PARENTHESES: u32 = 32;

pub(super) fn query(path: &str) -> Result<Vec<Step>, String> {
    let (rest, steps) = steps(path).finish().map_err(|error| invalid(path, error.input))?;
    if steps.len() > MOST_STEPS {
        return Err(format!("a path has at most {MOST_STEPS} steps"));
    }
    if rest.is_empty() { Ok(steps) } else { Err(invalid(path, rest)) }
}

/// The text of the first step of a path, and the path without this step.
pub(super) fn split_first(path: &str) -> Option<(&str, &str)> {
    let mut first = alt((name, recognize(star), recognize(dotted_or_bracketed)));
    let parsed = first.parse(path).finish().ok();
    parsed.map(|(rest, first): (&str, &str)| (first, rest))
}

/// A path without its last step, and the text of that step.
pub(super) fn split_last(path: &str) -> Result<(&str, &str), String> {
    let first = map(opt(alt((name, recognize(star)))), Option::unwrap_or_default);
    let mut parts = pair(first, many_m_n(0, MOST_STEPS + 1, recognize(dotted_or_bracketed)));
    let (rest, (first, more)) =
        parts.parse(path).finish().map_err(|error| invalid(path, error.input))?;
    if !rest.is_empty() {
        return Err(invalid(path, rest));
    }
    let last = more.last().copied().unwrap_or(first);
    Ok((path.strip_suffix(last).unwrap_or_default(), last))
}

fn invalid(path: &str, rest: &str) -> String {
    let column = path.len().saturating_sub(rest.len());
    format!(
        "syntax error at column {column}; expected a path such as player.items[3], items[*].hp or ..gold"
    )
}

type Parsed<'p, T> = IResult<&'p str, T>;

fn steps(path: &str) -> Parsed<'_, Vec<Step>> {
    let byte = map_res(preceded(char('@'), digit1), |digits: &str| digits.parse().map(Step::Byte));
    let (path, first) = opt(map(alt((byte, star, named)), |step| vec![step])).parse(path)?;
    // Reads only one step more than the limit: each step with an unterminated text would search to the end of the path.
    let (path, more) = many_m_n(0, MOST_STEPS + 1, dotted_or_bracketed).parse(path)?;
    Ok((path, first.into_iter().chain(more).flatten().collect()))
}

fn dotted_or_bracketed(path: &str) -> Parsed<'_, Vec<Step>> {
    alt((
        map(preceded(tag(".."), cut(alt((bracketed, star, named)))), |step| vec![Step::Deep, step]),
        map(preceded(char('.'), cut(alt((star, named)))), |step| vec![step]),
        map(bracketed, |step| vec![step]),
        map(braced, |step| vec![step]),
    ))
    .parse(path)
}

fn star(path: &str) -> Parsed<'_, Step> {
    map(char('*'), |_| Step::Any).parse(path)
}

fn named(path: &str) -> Parsed<'_, Step> {
    map(name, |name| Step::Name(name.to_owned())).parse(path)
}

fn name(path: &str) -> Parsed<'_, &str> {
    take_while1(|c| !".[{]}\"'*".contains(c)).parse(path)
}

fn bracketed(path: &str) -> Parsed<'_, Step> {
    let inner = alt((
        star,
        map(preceded(char('?'), cut(|filter| either(filter, 0))), Step::Filter),
        map(last(separated_pair(opt(integer), char(':'), opt(integer))), |(start, end)| {
            Step::Slice(start, end)
        }),
        key,
    ));
    delimited(char('['), cut(inner), cut(preceded(multispace0, char(']')))).parse(path)
}

/// An index or a key between brackets. A text has no escapes, as in the plain paths of `variant-view`. The text ends at
/// the first quote before a closing bracket.
fn key(path: &str) -> Parsed<'_, Step> {
    alt((
        map(bracket_text, |name| Step::Name(name.to_owned())),
        map(preceded(char('&'), bracket_text), |name| Step::StringName(name.to_owned())),
        map(last(integer), Step::Number),
        map(literal_key, step_of),
    ))
    .parse(path)
}

fn bracket_text(path: &str) -> Parsed<'_, &str> {
    alt((
        last(delimited(char('"'), take_until("\"]"), char('"'))),
        last(delimited(char('\''), take_until("']"), char('\''))),
    ))
    .parse(path)
}

/// Runs the parser, which must stop at the closing bracket.
fn last<'p, T>(
    parser: impl nom::Parser<&'p str, Output = T, Error = nom::error::Error<&'p str>>,
) -> impl nom::Parser<&'p str, Output = T, Error = nom::error::Error<&'p str>> {
    terminated(parser, peek(preceded(multispace0, char(']'))))
}

/// A key as scripts write it.
fn literal_key(path: &str) -> Parsed<'_, Variant> {
    let read = from_text_at(path, 0, &ParseOptions::new()).ok();
    let read = read.and_then(|(key, end)| Some((path.get(end..)?, key)));
    read.ok_or_else(|| nom::Err::Error(nom::error::Error::new(path, ErrorKind::Verify)))
}

/// The step for a key that was read as a literal. Such a key may be text, as in `["a" ]`.
fn step_of(key: Variant) -> Step {
    let step = match &key {
        Variant::Int(number) => Some(Step::Number(number.value())),
        Variant::String(text) => text.to_str().map(|text| Step::Name(text.to_owned())),
        Variant::StringName(text) => text.to_str().map(|text| Step::StringName(text.to_owned())),
        _ => None,
    };
    step.unwrap_or_else(|| Step::Key(WrittenKey(key)))
}

/// The step for a key in a condition.
fn part_of(key: Variant) -> Part {
    let step = match &key {
        Variant::Int(number) => Some(PathStep::Number(number.value())),
        Variant::String(text) => PathStep::of_key(Key::String(text.as_bytes())),
        Variant::StringName(text) => PathStep::of_key(Key::StringName(text.as_bytes())),
        _ => None,
    };
    match step {
        Some(step) => Part::Plain(step.to_string()),
        None => Part::Key(WrittenKey(key)),
    }
}

fn braced(path: &str) -> Parsed<'_, Step> {
    let position = map_res(digit1, str::parse);
    let inner = map(pair(position, opt(tag(":key"))), |(position, key)| match key {
        Some(_) => Step::PositionKey(position),
        None => Step::Position(position),
    });
    delimited(char('{'), cut(inner), cut(char('}'))).parse(path)
}

fn integer(path: &str) -> Parsed<'_, i64> {
    map_res(recognize(pair(opt(char('-')), digit1)), str::parse).parse(path)
}

fn quoted(path: &str) -> Parsed<'_, &str> {
    alt((
        delimited(char('"'), take_till(|c| c == '"'), char('"')),
        delimited(char('\''), take_till(|c| c == '\''), char('\'')),
    ))
    .parse(path)
}

fn spaced<'p, T>(
    parser: impl nom::Parser<&'p str, Output = T, Error = nom::error::Error<&'p str>>,
) -> impl nom::Parser<&'p str, Output = T, Error = nom::error::Error<&'p str>> {
    delimited(multispace0, parser, multispace0)
}

/// `a || b`
fn either(path: &str, depth: u32) -> Parsed<'_, Filter> {
    let (path, first) = both(path, depth)?;
    let (path, more) =
        many0(preceded(spaced(tag("||")), cut(|path| both(path, depth)))).parse(path)?;
    let all = std::iter::once(first).chain(more).collect::<Vec<_>>();
    Ok((path, Filter::Either(all)))
}

/// `a && b`
fn both(path: &str, depth: u32) -> Parsed<'_, Filter> {
    let (path, first) = test(path, depth)?;
    let (path, more) =
        many0(preceded(spaced(tag("&&")), cut(|path| test(path, depth)))).parse(path)?;
    let all = std::iter::once(first).chain(more).collect::<Vec<_>>();
    Ok((path, Filter::Both(all)))
}

fn test(path: &str, depth: u32) -> Parsed<'_, Filter> {
    let (path, _) = multispace0.parse(path)?;
    let (path, is_not) = opt(char('!')).parse(path)?;
    let open = verify(char('('), |_| depth < MOST_PARENTHESES);
    let inner = |path| either(path, depth.saturating_add(1));
    let (path, filter) =
        alt((delimited(open, cut(inner), cut(preceded(multispace0, char(')')))), comparison))
            .parse(path)?;
    let filter = if is_not.is_some() { Filter::Not(Box::new(filter)) } else { filter };
    Ok((path, filter))
}

fn comparison(path: &str) -> Parsed<'_, Filter> {
    let (path, subject) = preceded(multispace0, subject).parse(path)?;
    let (path, condition) = opt(alt((
        preceded(spaced(tag("=~")), cut(map(pattern, Comparison::Matches))),
        map(pair(spaced(operator), cut(literal)), |(operator, literal)| {
            Comparison::With(operator, literal)
        }),
    )))
    .parse(path)?;
    let comparison = condition.unwrap_or(Comparison::IsThere);
    Ok((path, Filter::Test { path: subject, comparison }))
}

/// A path of plain steps. `@` is the tested value itself, and may also begin a path.
fn subject(path: &str) -> Parsed<'_, Vec<Part>> {
    alt((preceded(char('@'), map(opt(plain), Option::unwrap_or_default)), plain)).parse(path)
}

/// Steps to one value. A name without brackets must be a word, because an operator may follow it.
fn plain(path: &str) -> Parsed<'_, Vec<Part>> {
    let first = map(word, |word| Part::Plain(word.to_owned()));
    alt((
        map(pair(first, many0(plain_step)), |(first, more)| joined(first, more)),
        map(pair(plain_step, many0(plain_step)), |(first, more)| joined(first, more)),
    ))
    .parse(path)
}

/// Joins consecutive plain steps into one part.
fn joined(first: Part, more: Vec<Part>) -> Vec<Part> {
    let mut all = vec![first];
    for part in more {
        match (all.last_mut(), part) {
            (Some(Part::Plain(steps)), Part::Plain(more)) => steps.push_str(&more),
            (_, part) => all.push(part),
        }
    }
    all
}

fn plain_step(path: &str) -> Parsed<'_, Part> {
    let plain = alt((
        recognize(preceded(char('.'), word)),
        recognize(delimited(char('['), pair(opt(char('&')), bracket_text), char(']'))),
        recognize(delimited(char('['), integer, char(']'))),
        recognize(braced),
    ));
    let literal = delimited(char('['), literal_key, preceded(multispace0, char(']')));
    alt((map(plain, |step: &str| Part::Plain(step.to_owned())), map(literal, part_of))).parse(path)
}

fn word(path: &str) -> Parsed<'_, &str> {
    take_while1(|c: char| c.is_alphanumeric() || c == '_').parse(path)
}

fn operator(path: &str) -> Parsed<'_, Operator> {
    alt((
        value(Operator::Equal, tag("==")),
        value(Operator::Different, tag("!=")),
        value(Operator::AtMost, tag("<=")),
        value(Operator::AtLeast, tag(">=")),
        value(Operator::Less, tag("<")),
        value(Operator::More, tag(">")),
        value(Operator::Equal, tag("=")),
    ))
    .parse(path)
}

fn literal(path: &str) -> Parsed<'_, Literal> {
    alt((
        value(Literal::Bool(true), tag("true")),
        value(Literal::Bool(false), tag("false")),
        value(Literal::Null, tag("null")),
        map(quoted, |text| Literal::Text(text.as_bytes().to_vec())),
        number,
    ))
    .parse(path)
}

fn number(path: &str) -> Parsed<'_, Literal> {
    map_opt(recognize_float, |text: &str| {
        let int = text.parse().ok().map(Literal::Int);
        int.or_else(|| text.parse().ok().map(Literal::Float))
    })
    .parse(path)
}

fn pattern(path: &str) -> Parsed<'_, Pattern> {
    alt((
        map_res(delimited(char('"'), take_until("\""), char('"')), Pattern::new),
        map_res(delimited(char('\''), take_until("'"), char('\'')), Pattern::new),
    ))
    .parse(path)
}
