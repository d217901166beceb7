//! Whether something is a `CreateMessageResult` of the protocol version in use (client/sampling). Pure.

use serde_json::{Map, Value};

/// A kind of content block.
struct Kind {
    name: &'static str,
    /// The first protocol version that has it.
    since: &'static str,
    /// Its fields that are strings.
    strings: &'static [&'static str],
    /// The only role that may say it.
    role: Option<&'static str>,
}

const KINDS: &[Kind] = &[
    Kind { name: "text", since: "2024-11-05", strings: &["text"], role: None },
    Kind { name: "image", since: "2024-11-05", strings: &["data", "mimeType"], role: None },
    Kind { name: "audio", since: "2025-03-26", strings: &["data", "mimeType"], role: None },
    Kind { name: "tool_use", since: LISTS, strings: &["id", "name"], role: Some("assistant") },
    Kind { name: "tool_result", since: LISTS, strings: &["toolUseId"], role: Some("user") },
];

/// Since this version content may be a list of blocks (SEP-1577).
const LISTS: &str = "2025-11-25";

/// The result as it is to be sent: with a model, and with a bare block where there is exactly one. Without a
/// `protocol` version everything counts that some version allows.
///
/// # Errors
/// One line that names the place.
pub(super) fn result(mut result: Map<String, Value>, model: &str, protocol: Option<&str>) -> Result<Value, String> {
    let role = match result.get("role") {
        Some(Value::String(role)) if role == "assistant" || role == "user" => role.clone(),
        Some(other) => return Err(format!("role is neither \"assistant\" nor \"user\": {}", short(other))),
        None => return Err("role is missing".into()),
    };
    for key in ["model", "stopReason"] {
        if let Some(value) = result.get(key).filter(|value| !value.is_string()) {
            return Err(format!("{key} is not a string: {}", short(value)));
        }
    }
    result.entry("model").or_insert_with(|| model.into());
    let content = result.get_mut("content").ok_or("content is missing")?;
    if let Value::Array(list) = content
        && list.len() == 1
    {
        *content = list.remove(0);
    }
    match &*content {
        Value::Array(list) => {
            if let Some(protocol) = protocol.filter(|protocol| *protocol < LISTS) {
                let n = list.len();
                return Err(format!("content has {n} blocks, but protocol version {protocol} knows only one"));
            }
            for (at, one) in list.iter().enumerate() {
                block(one, &role, protocol).map_err(|why| format!("content/{at}{why}"))?;
            }
            same_id(list)?;
        }
        one => block(one, &role, protocol).map_err(|why| format!("content{why}"))?,
    }
    Ok(Value::Object(result))
}

fn block(block: &Value, role: &str, protocol: Option<&str>) -> Result<(), String> {
    let Some(block) = block.as_object() else { return Err(format!(" is not an object: {}", short(block))) };
    let known = |name: &str| KINDS.iter().find(|kind| kind.name == name);
    let kind = match block.get("type") {
        None => return Err("/type is missing".into()),
        Some(name) => name.as_str().and_then(known).ok_or_else(|| {
            let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            format!("/type is {}, which is none of {}", short(name), names.join(", "))
        })?,
    };
    let name = kind.name;
    if let Some(protocol) = protocol.filter(|protocol| *protocol < kind.since) {
        return Err(format!("/type is {name}, which protocol version {protocol} does not know"));
    }
    if let Some(only) = kind.role.filter(|only| *only != role) {
        return Err(format!("/type is {name}, which goes with the role {only} only"));
    }
    if let Some(key) = kind.strings.iter().find(|key| !block.get(**key).is_some_and(Value::is_string)) {
        return Err(format!("/{key} is missing or not a string"));
    }
    match name {
        "tool_use" if !block.get("input").is_some_and(Value::is_object) => {
            Err("/input is missing or not an object".into())
        }
        "tool_result" if !block.get("content").is_some_and(Value::is_array) => {
            Err("/content is missing or not a list".into())
        }
        _ => Ok(()),
    }
}

/// A reply may use only tools that came with the request.
///
/// # Errors
/// One line that names the tool.
pub(super) fn tools(result: &Value, params: &Value) -> Result<(), String> {
    let offered = |name: &str| {
        let tools = params.get("tools").and_then(Value::as_array).into_iter().flatten();
        tools.filter_map(|tool| tool.get("name")?.as_str()).any(|tool| tool == name)
    };
    let blocks = match &result["content"] {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    let used = blocks.iter().filter(|block| block["type"] == "tool_use").filter_map(|block| block["name"].as_str());
    match used.into_iter().find(|name| !offered(name)) {
        Some(name) => Err(format!("it uses the tool {name}, which did not come with the request")),
        None => Ok(()),
    }
}

/// Each use of a tool gets its own result, by its id.
fn same_id(list: &[Value]) -> Result<(), String> {
    for key in ["id", "toolUseId"] {
        let ids: Vec<(usize, &str)> =
            list.iter().enumerate().filter_map(|(at, block)| Some((at, block.get(key)?.as_str()?))).collect();
        if let Some((at, id)) = ids.iter().find(|(at, id)| ids.iter().any(|(other, same)| other < at && same == id)) {
            return Err(format!("content/{at}/{key} is used twice: {id}"));
        }
    }
    Ok(())
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checked(value: Value, protocol: Option<&str>) -> Result<Value, String> {
        result(value.as_object().cloned().unwrap(), "m", protocol)
    }

    #[test]
    fn only_tools_of_the_request_are_used() {
        let uses = json!({ "content": [{ "type": "text" }, { "type": "tool_use", "name": "x" }] });
        for (params, fine) in
            [(json!({ "tools": [{ "name": "x" }] }), true), (json!({ "tools": [] }), false), (json!({}), false)]
        {
            assert_eq!(tools(&uses, &params).is_ok(), fine, "{params}");
        }
        assert!(tools(&json!({ "content": { "type": "text" } }), &json!({})).is_ok());
    }

    fn with(content: Value) -> Value {
        json!({ "role": "assistant", "content": content })
    }

    #[test]
    fn a_good_result_passes_and_names_a_model() {
        let text = json!({"type": "text", "text": "a", "extra": 1.5});
        for one in [json!([text]), text.clone()] {
            assert_eq!(
                checked(with(one), Some("2024-11-05")).unwrap().to_string(),
                r#"{"role":"assistant","content":{"type":"text","text":"a","extra":1.5},"model":"m"}"#
            );
        }
        let many = json!([text, {"type": "tool_use", "id": "1", "name": "n", "input": {}}]);
        assert_eq!(checked(with(many.clone()), Some("2025-11-25")).unwrap()["content"], many);
        assert_eq!(checked(with(json!([])), None).unwrap()["content"], json!([]));
        let named = json!({"role": "user", "content": text, "model": "x", "stopReason": "odd", "_meta": {}});
        assert_eq!(checked(named.clone(), None).unwrap(), named);
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        let text = json!({"type": "text", "text": "a"});
        let tool = json!({"type": "tool_use", "id": "1", "name": "n", "input": {}});
        let new = Some("2025-11-25");
        for (value, protocol, message) in [
            (json!({"content": text}), new, "role is missing"),
            (json!({"role": "system", "content": text}), new, "role is neither \"assistant\" nor \"user\": \"system\""),
            (json!({"role": "user"}), new, "content is missing"),
            (json!({"role": "user", "content": text, "model": 1}), new, "model is not a string: 1"),
            (json!({"role": "user", "content": text, "stopReason": null}), new, "stopReason is not a string: null"),
            (with(json!("a")), new, "content is not an object: \"a\""),
            (with(json!([text, 1])), new, "content/1 is not an object: 1"),
            (with(json!({"text": "a"})), new, "content/type is missing"),
            (
                with(json!({"type": "video"})),
                new,
                "content/type is \"video\", which is none of text, image, audio, tool_use, tool_result",
            ),
            (with(json!({"type": "text"})), new, "content/text is missing or not a string"),
            (with(json!([text, {"type": "image", "data": ""}])), new, "content/1/mimeType is missing or not a string"),
            (
                with(json!({"type": "audio", "data": "", "mimeType": "a"})),
                Some("2024-11-05"),
                "content/type is audio, which protocol version 2024-11-05 does not know",
            ),
            (
                with(tool.clone()),
                Some("2025-06-18"),
                "content/type is tool_use, which protocol version 2025-06-18 does not know",
            ),
            (
                with(json!([text, text])),
                Some("2025-06-18"),
                "content has 2 blocks, but protocol version 2025-06-18 knows only one",
            ),
            (
                with(json!({"type": "tool_use", "id": "1", "name": "n"})),
                new,
                "content/input is missing or not an object",
            ),
            (with(json!([tool, tool])), new, "content/1/id is used twice: 1"),
            (
                with(json!({"type": "tool_result", "toolUseId": "1", "content": []})),
                new,
                "content/type is tool_result, which goes with the role user only",
            ),
        ] {
            assert_eq!(checked(value.clone(), protocol).unwrap_err(), message, "{value}");
        }
    }
}
