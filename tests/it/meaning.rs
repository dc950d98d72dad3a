//! Ranking of tools with embeddings. Commands set and test the endpoint. After a restart, only new
//! texts are sent to it.

use guild_api::wire::{EmbeddingsEndpoint, SetEmbeddings};
use guild_model::Code;
use serde_json::{Value, json};

use crate::guildhall::CliHarness;
use crate::http_client::HttpClient;
use crate::prediction::model::{Answer, Model};
use crate::test_env::{ANY_PORT, TestEnv, json as read_json};

fn texts(model: &Model) -> Vec<String> {
    let asked = model.asked();
    let texts = asked.iter().flat_map(|asked| {
        let body: Value = serde_json::from_str(&asked.body).expect("JSON");
        body["input"].as_array().expect("texts").clone()
    });
    texts
        .map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_asks_for_new_texts_alone() {
    let env = TestEnv::new("vectors");
    let model = Model::new(Answer::Embeds).await;
    env.member("forge").write();
    let mut known = 0;
    for start in 0..2 {
        let open = env.started().await;
        let endpoint = EmbeddingsEndpoint {
            url: model.url.clone(),
            model: "pairs".into(),
            key: None,
            // This limit is never reached, even on a busy machine.
            timeout_ms: Some(300_000),
        };
        let set = SetEmbeddings {
            endpoint: Some(endpoint),
        };
        open.hall.set_embeddings(set).await.expect("set");
        let gateway = open.hall.open_gateway(ANY_PORT).await;
        let agent = HttpClient::new(&gateway.address.expect("it listens"));
        let task = json!({"task": "summing up two numbers"});
        let found = agent.call("/mcp", "tools_search", task).await;
        let found = found["content"][0]["text"].as_str().expect("a text");
        assert!(found.contains("forge__add"), "{found}");
        let asked = texts(&model);
        if start == 0 {
            known = asked.len();
            let tools = agent.tools("/mcp").await;
            let own = tools.iter().filter(|tool| {
                let name = tool["name"].as_str().expect("a name");
                name.starts_with("forge__")
            });
            assert_eq!(known, own.count() + 1, "each tool, and the task");
        } else {
            assert_eq!(
                &asked[known..],
                ["summing up two numbers"],
                "the task alone"
            );
        }
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endpoint_is_set_tested_and_removed_by_command() {
    let cli = CliHarness::new("embeddings by command").await;
    let model = Model::new(Answer::Embeds).await;
    let file = cli.env.data_dir().join("gateway.json");

    let untested = cli
        .run(&["tools", "embeddings", "test", "--json"])
        .await
        .json(2);
    assert_eq!(untested["error"]["code"], Code::GatewaySettings.as_str());
    let set = [
        "tools",
        "embeddings",
        "set",
        "--url",
        &model.url,
        "--model",
        "pairs",
    ];
    let plain = [&set[..], &["--key", "sk-planted-0123456789"]].concat();
    let refused = cli.run(&plain).await;
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(
        refused.stderr.contains("guildhall secret set"),
        "{refused:#?}"
    );
    assert!(!refused.stderr.contains("planted"), "{refused:#?}");
    assert!(!file.exists(), "a key is in no file");

    let reference = [&set[..], &["--key", "${secret:embeddings-key}", "--json"]].concat();
    let saved = cli.run(&reference).await.json(0);
    assert_eq!(saved["endpoint"]["key"], "${secret:embeddings-key}");
    let keyless = cli.run(&["tools", "embeddings", "test"]).await;
    assert!(keyless.stderr.contains("embeddings-key"), "{keyless:#?}");
    assert_eq!(model.asked(), [], "not without its key");

    let ended = cli.run(&set).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let tested = cli
        .run(&["tools", "embeddings", "test", "--json"])
        .await
        .json(0);
    assert_eq!(tested["dimensions"], 1024);
    let tested = cli.run(&["tools", "embeddings", "test"]).await;
    assert!(
        tested.stdout.contains("vectors of 1024 numbers"),
        "{tested:#?}"
    );
    model.answers(Answer::status(401, "", "{}"));
    let refused = cli
        .run(&["tools", "embeddings", "test", "--json"])
        .await
        .json(4);
    assert_eq!(refused["error"]["code"], Code::EmbeddingsFailed.as_str());
    model.gone().await;
    let nobody = cli.run(&["tools", "embeddings", "test"]).await;
    assert!(
        nobody.stderr.contains("Check that the endpoint runs"),
        "{nobody:#?}"
    );

    let cleared = cli
        .run(&["tools", "embeddings", "clear", "--json"])
        .await
        .json(0);
    assert_eq!(cleared["endpoint"], Value::Null);
    assert_eq!(read_json(&file)["embeddings"], Value::Null);
}
