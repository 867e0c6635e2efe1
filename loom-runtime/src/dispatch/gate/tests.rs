//! Who is let in, and when.

use proptest::prelude::*;

use super::*;

fn draw(gates: &[&Gate], passed: Option<&Passed>) -> Ticket {
    Ticket::draw(gates.iter().map(|&gate| gate.clone()), passed)
}

/// The place, if the ticket is let in by now.
fn place(ticket: &mut Ticket) -> Option<Place> {
    match Pin::new(ticket).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(place) => Some(place),
        Poll::Pending => None,
    }
}

fn free(gate: &Gate) -> usize {
    gate.0.available_permits()
}

fn passed(place: &Place, before: Option<&Passed>) -> Arc<Passed> {
    place.context(&RunContext::new(), before).state().unwrap()
}

#[test]
fn a_gate_lets_in_as_many_as_it_says_and_at_least_one() {
    for (calls, most) in [(0, 1), (1, 1), (3, 3), (usize::MAX, Semaphore::MAX_PERMITS)] {
        assert_eq!(free(&Gate::new(calls)), most);
    }
    let gate = Gate::new(2);
    let mut tickets = [(); 4].map(|()| draw(&[&gate], None));
    let mut places = tickets.each_mut().map(place);
    assert_eq!(places.each_ref().map(Option::is_some), [true, true, false, false]);
    places[1] = None;
    assert_eq!([place(&mut tickets[3]).is_some(), place(&mut tickets[2]).is_some()], [false, true]);
}

#[test]
fn whoever_has_drawn_first_goes_first_whoever_is_looked_at_first() {
    let gate = Gate::new(1);
    let first = place(&mut draw(&[&gate], None)).unwrap();
    let (mut second, mut third) = (draw(&[&gate], None), draw(&[&gate], None));
    assert!(place(&mut third).is_none());
    drop(first);
    assert!(place(&mut third).is_none());
    let second = place(&mut second).unwrap();
    drop(second);
    assert!(place(&mut third).is_some());
}

#[tokio::test]
async fn very_many_draw_in_one_go() {
    let gate = Gate::new(1);
    let mut tickets: Vec<_> = (0..1_000).map(|_| draw(&[&gate], None)).collect();
    // Drawn from the inside of a task, which may only do so much in one go.
    for ticket in &mut tickets {
        assert!(place(ticket).is_some());
    }
}

#[test]
fn a_ticket_that_is_dropped_leaves_the_queue_and_what_it_had_passed() {
    let (outer, inner) = (Gate::new(2), Gate::new(1));
    let held = place(&mut draw(&[&inner], None)).unwrap();
    let waits = draw(&[&outer, &inner], None);
    assert_eq!((free(&outer), free(&inner)), (1, 0));
    let mut behind = draw(&[&outer, &inner], None);
    assert_eq!(free(&outer), 0);
    drop(waits);
    assert_eq!(free(&outer), 1);
    drop(held);
    assert!(place(&mut behind).is_some());
    // Let in, but never looked at.
    let held = place(&mut draw(&[&inner], None)).unwrap();
    let let_in = draw(&[&inner], None);
    drop(held);
    drop(let_in);
    assert_eq!((free(&outer), free(&inner)), (2, 1));
}

#[test]
fn a_gate_that_the_maker_has_passed_is_open_while_the_maker_is_in() {
    let (outer, inner) = (Gate::new(1), Gate::new(1));
    let maker = place(&mut draw(&[&outer], None)).unwrap();
    let of_maker = passed(&maker, None);
    let made = place(&mut draw(&[&outer, &inner], Some(&of_maker))).unwrap();
    let of_made = passed(&made, Some(&of_maker));
    assert!(place(&mut draw(&[&outer, &inner], Some(&of_made))).is_some());
    // Others wait, and so does what the maker makes at a gate that it has not passed.
    assert!(place(&mut draw(&[&outer], None)).is_none());
    assert!(place(&mut draw(&[&inner], Some(&of_maker))).is_none());
    drop(made);
    drop(maker);
    // What a call has left behind has no place of its own.
    let other = place(&mut draw(&[&outer], None)).unwrap();
    assert!(place(&mut draw(&[&outer], Some(&of_maker))).is_none());
    assert!(place(&mut draw(&[&outer], Some(&of_made))).is_none());
    drop(other);
    assert!(place(&mut draw(&[&outer], Some(&of_made))).is_some());
}

proptest! {
    /// At one gate the places are given in the order of the tickets, as soon as there are any, whatever is dropped.
    #[test]
    fn places_are_given_in_order_and_at_once(
        calls in 1_usize..4,
        steps in prop::collection::vec((0_u8..3, any::<prop::sample::Index>()), 1..40),
    ) {
        let gate = Gate::new(calls);
        let mut waiting: Vec<Ticket> = Vec::new();
        let mut inside: Vec<Place> = Vec::new();
        for (step, index) in steps {
            match step {
                0 => waiting.push(draw(&[&gate], None)),
                1 if !waiting.is_empty() => drop(waiting.remove(index.index(waiting.len()))),
                _ if !inside.is_empty() => drop(inside.swap_remove(index.index(inside.len()))),
                _ => {}
            }
            // Looked at from behind, so that it is not the look that lets them in.
            let mut let_in: Vec<_> = waiting.iter_mut().rev().map(place).collect();
            let_in.reverse();
            let count = let_in.iter().filter(|place| place.is_some()).count();
            let room = calls - inside.len();
            prop_assert_eq!(count, room.min(waiting.len()));
            prop_assert!(let_in[..count].iter().all(Option::is_some));
            waiting.drain(..count);
            inside.extend(let_in.into_iter().flatten());
            prop_assert_eq!(free(&gate), calls - inside.len());
        }
    }
}
