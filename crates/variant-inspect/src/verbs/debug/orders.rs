//! The orders of a debugger.

mod messages;
pub(super) mod nodes;
pub(super) mod object;
mod profile;
pub(super) mod stops;

use super::desk::{Desk, soon};
use super::link::Ended;
use crate::cli::Order;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// Follows an order.
///
/// # Errors
/// The game does not do it, or ended before. The connection can be used further unless it is closed.
pub(super) fn follow(
    order: &Order,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    if !matches!(order, Order::Until(_)) {
        desk.log.recent.clear();
    }
    match order {
        Order::Tree(args) => nodes::tree(args, desk, terminal),
        Order::Inspect(args) => object::inspect(args, desk, terminal),
        Order::Set(args) => object::set(args, desk, terminal),
        Order::Eval(args) => stops::eval(args, desk, terminal),
        Order::Break(args) => stops::set_breaks(args, desk, terminal),
        Order::Step(args) => stops::step(stops::Step::Into, args, desk, terminal),
        Order::Next(args) => stops::step(stops::Step::Over, args, desk, terminal),
        Order::Continue(args) => stops::go_on(args, desk, terminal),
        Order::Stack(args) => stops::stack(args, desk, terminal),
        Order::Vars(args) => stops::vars(args, desk, terminal),
        Order::Profile(args) => profile::profile(args, desk, terminal),
        Order::Send(args) => messages::send(args, desk, terminal),
        Order::Watch(args) => messages::watch(args, desk, terminal),
        Order::Until(args) => desk.printed(&args.pattern, terminal),
        Order::Wait(args) => match args.time {
            None => {
                desk.stopped(None, terminal)?;
                stops::print_place(desk, terminal)
            }
            Some(time) => match desk.wait(soon(time), terminal, |_| None::<()>)? {
                Ended::With(()) | Ended::Time => Ok(()),
                Ended::Asked => Err(Failure::Told(Status::Invalid)),
                Ended::Late => Err(Failure::invalid("the time of --timeout is over")),
                Ended::Closed => Err(Failure::invalid("the game has ended")),
            },
        },
    }
}

/// Follows an order that is a command: after `break`, also waits for the stop and prints stack and variables.
pub(super) fn follow_once(
    order: &Order,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    follow(order, desk, terminal)?;
    match order {
        Order::Break(args) if !args.clear => stops::report(desk, terminal),
        _ => Ok(()),
    }
}
