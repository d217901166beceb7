//! The library's tools.

use std::time::Duration;

use futures_util::future::try_join_all;
use rmcp::handler::server::tool::schema_for_output;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{
    CallToolResult, ContentBlock, CreateMessageRequestParams, ErrorData, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam, Root, SamplingMessage,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use rmcp::{tool, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Library;
use crate::ask::{ask, card_holder, refusal, reservation, single_answer};

/// The books on the shelves.
const BOOKS: [&str; 6] = [
    "A Wizard of Earthsea",
    "Dune",
    "Frankenstein",
    "The Dispossessed",
    "The Left Hand of Darkness",
    "The Name of the Rose",
];

/// An 8×8 image, a red cover, as base64.
const COVER_PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOoktfGihiGlgQAOaUxAS8rgaoAAAAASUVORK5CYII=";

#[derive(Serialize, JsonSchema)]
struct Features {
    /// The features the client declared.
    result: Vec<&'static str>,
}

#[derive(Deserialize, JsonSchema)]
struct Addends {
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    /// The sum of both numbers.
    sum: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Search {
    /// Words of the title, in any case; all books contain the empty string.
    query: String,
    /// The most books to return; all if absent.
    limit: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
struct Count {
    /// The last number.
    to: u32,
    /// Milliseconds to wait before each number.
    #[serde(default)]
    delay_ms: u64,
}

#[derive(Deserialize, JsonSchema)]
struct Sleep {
    /// How long to sleep.
    seconds: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Text {
    /// The text to summarize.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Questions {
    /// How many questions to ask at once.
    n: usize,
}

#[tool_router(vis = "pub(crate)")]
impl Library {
    /// Issue a new library card.
    #[tool]
    async fn issue_card(&self, client: Peer<RoleServer>) -> Result<CallToolResult, ErrorData> {
        let answer = ask(&client, "What name should go on the card?", card_holder()).await?;
        Ok(match answer.as_ref().map(|content| &content["name"]) {
            Some(Value::String(name)) => text(format!("Card issued to {name}.")),
            Some(_) => failure("The card needs a name."),
            None => text("No card issued."),
        })
    }

    /// Which optional features the connected client declared.
    #[tool(output_schema = schema_for_output::<Features>())]
    async fn client_features(&self, context: RequestContext<RoleServer>) -> CallToolResult {
        let client = context.client_capabilities().unwrap_or_default();
        let declared = [
            ("elicitation", client.elicitation.is_some()),
            ("sampling", client.sampling.is_some()),
            ("roots", client.roots.is_some()),
        ];
        let features: Vec<&str> =
            declared.into_iter().filter_map(|(name, declared)| declared.then_some(name)).collect();
        let mut result = text(json!(features).to_string());
        result.structured_content = Some(json!(Features { result: features }));
        result
    }

    /// Reserve a book; the library asks which.
    #[tool]
    async fn reserve_book(&self, client: Peer<RoleServer>) -> Result<String, ErrorData> {
        let content = ask(&client, "Which book should we reserve?", reservation()).await?;
        Ok(content.map_or_else(|| "No book reserved.".to_owned(), |content| content.to_string()))
    }

    /// Add two integers.
    #[tool]
    async fn add(&self, Parameters(Addends { a, b }): Parameters<Addends>) -> Result<Json<Sum>, ErrorData> {
        a.checked_add(b)
            .map(|sum| Json(Sum { sum }))
            .ok_or_else(|| ErrorData::invalid_params("the sum does not fit 64 bits", None))
    }

    /// Search the catalogue by title.
    #[tool]
    async fn search(&self, Parameters(Search { query, limit }): Parameters<Search>) -> CallToolResult {
        let query = query.to_lowercase();
        let found = BOOKS
            .iter()
            .filter(|title| title.to_lowercase().contains(&query))
            .take(limit.unwrap_or(usize::MAX))
            .map(|title| ContentBlock::text(*title));
        CallToolResult::success(found.collect())
    }

    /// Log one message at each level.
    #[tool]
    async fn log(&self, client: Peer<RoleServer>) -> Result<CallToolResult, ErrorData> {
        let messages = [
            (LoggingLevel::Debug, json!("Dusting the shelves.")),
            (LoggingLevel::Info, json!({ "visitors": 3, "open": true })),
            (LoggingLevel::Notice, json!("The reading room is full.")),
            (LoggingLevel::Warning, json!("A book is overdue.")),
            (LoggingLevel::Error, json!("A book is missing.")),
            (LoggingLevel::Critical, Value::Null),
            (LoggingLevel::Alert, json!("Someone is shouting.")),
            (LoggingLevel::Emergency, json!("The library is on fire.")),
        ];
        for (level, data) in messages {
            let message = LoggingMessageNotificationParam::new(level, data).with_logger("library");
            client.notify_logging_message(message).await.map_err(refusal)?;
        }
        Ok(text("logged"))
    }

    /// Count, reporting each number as progress.
    #[tool]
    async fn count(
        &self,
        Parameters(Count { to, delay_ms }): Parameters<Count>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        for number in 1..=to {
            tokio::time::sleep(Duration::from_millis(delay_ms)).await;
            if let Some(token) = context.meta.get_progress_token() {
                let progress = ProgressNotificationParam::new(token, number.into())
                    .with_total(to.into())
                    .with_message(format!("{number} of {to}"));
                context.peer.notify_progress(progress).await.map_err(refusal)?;
            }
        }
        Ok(format!("counted to {to}"))
    }

    /// Sleep for some seconds.
    #[tool]
    async fn slow(&self, Parameters(Sleep { seconds }): Parameters<Sleep>) -> Result<CallToolResult, ErrorData> {
        let duration = Duration::try_from_secs_f64(seconds)
            .map_err(|error| ErrorData::invalid_params(format!("seconds: {error}"), None))?;
        tokio::time::sleep(duration).await;
        Ok(text("slept"))
    }

    /// Fail, as a tool fails.
    #[tool]
    async fn fail(&self) -> CallToolResult {
        failure("The library is closed.")
    }

    /// Kill the server in the middle of the call.
    #[tool]
    async fn crash(&self) -> CallToolResult {
        eprintln!("fatal: the roof fell in");
        std::process::exit(3)
    }

    /// Show a book cover.
    #[tool]
    async fn cover(&self) -> CallToolResult {
        CallToolResult::success(vec![
            ContentBlock::image(COVER_PNG, "image/png"),
            ContentBlock::text("The cover is red."),
        ])
    }

    /// Summarize a text with the client's model.
    #[tool]
    async fn summarize(
        &self,
        Parameters(Text { text }): Parameters<Text>,
        client: Peer<RoleServer>,
    ) -> Result<String, ErrorData> {
        let prompt = SamplingMessage::user_text(format!("Summarize this text:\n\n{text}"));
        let request = CreateMessageRequestParams::new(vec![prompt], 200);
        let answer = client.create_message(request).await.map_err(refusal)?;
        let blocks = answer.message.content.iter().filter_map(|block| block.as_text());
        Ok(blocks.map(|block| block.text.as_str()).collect())
    }

    /// List the client's roots, a line each: name and URI.
    #[tool]
    async fn shelves(&self, client: Peer<RoleServer>) -> Result<String, ErrorData> {
        let line = |Root { name, uri, .. }: Root| format!("{} {uri}", name.as_deref().unwrap_or("-"));
        let roots = client.list_roots().await.map_err(refusal)?.roots;
        Ok(roots.into_iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    /// Ask several questions at once.
    #[tool]
    async fn ask_many(
        &self,
        Parameters(Questions { n }): Parameters<Questions>,
        client: Peer<RoleServer>,
    ) -> Result<String, ErrorData> {
        let asks = (1..=n).map(|i| ask(&client, format!("Question {i} of {n}?"), single_answer()));
        let answers = try_join_all(asks).await?.into_iter().map(|content| {
            let answer = content.as_ref().and_then(|content| content["answer"].as_str());
            answer.unwrap_or("(no answer)").to_owned()
        });
        Ok(answers.collect::<Vec<_>>().join(", "))
    }
}

/// A result of one text block.
fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// A failure the caller should read.
fn failure(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
