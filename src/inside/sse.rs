//! The parser of event streams, beside a plainer one.

use crate::transport::sse::{Event, Parser};

/// However the bytes are cut, the events are those that the standard's own words make of the whole.
pub(super) fn check(data: &[u8]) {
    let &[step, limit, ref stream @ ..] = data else { return };
    let unlimited = usize::MAX / 2;
    let (whole, events, fits) = parse(stream, stream.len().max(1), unlimited);
    assert!(fits);
    assert_eq!(events, plainly(stream), "the standard says otherwise");
    for step in [1, usize::from(step).max(1)] {
        let (parser, cut, fits) = parse(stream, step, unlimited);
        assert!(fits);
        assert_eq!(cut, events, "cut every {step} bytes");
        assert_eq!((parser.last_event_id(), parser.retry()), (whole.last_event_id(), whole.retry()));
        assert_eq!(parser.unfinished(), whole.unfinished());
    }
    let limit = usize::from(limit);
    let (_, some, fits) = parse(stream, stream.len().max(1), limit);
    let (_, cut, cut_fits) = parse(stream, usize::from(step).max(1), limit);
    assert_eq!((&some, fits), (&cut, cut_fits), "what is too large depends on how it is cut");
    assert!(events.starts_with(&some) && some.iter().all(|event| event.data.len() <= 3 * limit));
}

pub(super) fn parse(stream: &[u8], step: usize, limit: usize) -> (Parser, Vec<Event>, bool) {
    let (mut parser, mut events) = (Parser::new(limit), Vec::new());
    let fits = stream.chunks(step).all(|chunk| parser.push(chunk, &mut events).is_ok());
    (parser, events, fits)
}

/// Sentence by sentence as in WHATWG HTML, 9.2.6, on the whole stream. Blocks without data are kept, as by ours.
fn plainly(stream: &[u8]) -> Vec<Event> {
    let stream = stream.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stream);
    let (mut events, mut block, mut rest) = (Vec::new(), None::<Event>, stream);
    while let Some(end) = rest.iter().position(|byte| b"\r\n".contains(byte)) {
        let line = &rest[..end];
        rest = rest[end..].strip_prefix(b"\r\n").unwrap_or(&rest[end + 1..]);
        if line.is_empty() {
            events.extend(block.take().map(|mut event| {
                event.data = event.data.strip_suffix('\n').map(str::to_owned).unwrap_or_default();
                event
            }));
            continue;
        }
        if line[0] == b':' {
            continue;
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let (text, block) = (String::from_utf8_lossy(value), block.get_or_insert_default());
        match name {
            b"event" => block.event = text.into_owned(),
            b"data" => {
                block.data += &format!("{text}\n");
                block.replaced |= std::str::from_utf8(value).is_err();
            }
            b"id" if !text.contains('\0') => block.id = Some(text.into_owned()),
            _ => {}
        }
    }
    events
}
