//! What the library asks the client for: answers to forms.

use rmcp::model::{
    ElicitRequestParams, ElicitationAction, ElicitationSchema, EnumSchema, ErrorData, IntegerSchema,
    PrimitiveSchemaDefinition,
};
use rmcp::service::{Peer, RoleServer, ServiceError};
use serde_json::{Value, json};

use crate::record;

/// Asks the client, whatever it declared, and returns the content if it accepts.
///
/// A client that refuses to ask fails the call with the code and message of its error.
pub(crate) async fn ask(
    client: &Peer<RoleServer>,
    message: impl Into<String>,
    form: ElicitationSchema,
) -> Result<Option<Value>, ErrorData> {
    let reply = client
        .create_elicitation(ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message.into(),
            requested_schema: form,
        })
        .await
        .map_err(refusal);
    match reply {
        Ok(result) => {
            record(&json!({ "ask": "elicitation", "answer": result }));
            let accepted = result.action == ElicitationAction::Accept;
            Ok(accepted.then(|| result.content.unwrap_or_else(|| json!({}))))
        }
        Err(error) => {
            record(&json!({ "ask": "elicitation", "error": error }));
            Err(error)
        }
    }
}

/// The error a call fails with when the client did not answer what the tool asked.
pub(crate) fn refusal(error: ServiceError) -> ErrorData {
    match error {
        ServiceError::McpError(error) => error,
        error => ErrorData::internal_error(error.to_string(), None),
    }
}

/// The form of `issue_card`.
pub(crate) fn card_holder() -> ElicitationSchema {
    ElicitationSchema::builder()
        .title("CardHolder")
        .required_string_property("name", |name| name.title("Name"))
        .build_unchecked()
}

/// The form of `reserve_book`: a field of each kind, required, optional and with defaults.
pub(crate) fn reservation() -> ElicitationSchema {
    let copies =
        IntegerSchema::new().title("Copies").description("How many copies to reserve.").range(1, 5).with_default(1);
    let formats = ["hardcover", "paperback", "audio"].map(String::from);
    let format = EnumSchema::builder(formats.into()).title("Format").build();
    let mut form = ElicitationSchema::builder()
        .title("Reservation")
        .required_string_property("title", |title| title.title("Title").description("The book's title."))
        .property("copies", PrimitiveSchemaDefinition::Integer(copies))
        .optional_enum_schema("format", format)
        .optional_bool_with("express", |express| express.title("Express").with_default(false))
        .optional_string_with("note", |note| note.title("Note").description("Anything the librarian should know."))
        .build_unchecked();
    // The builder sorts the fields by name; a person should be asked in this order.
    form.property_order = Some(["title", "copies", "format", "express", "note"].map(String::from).into());
    form
}

/// A form with one required string field, `answer`.
pub(crate) fn single_answer() -> ElicitationSchema {
    ElicitationSchema::builder().required_string_property("answer", |answer| answer.title("Answer")).build_unchecked()
}
