//! Tests of servers that send more requests than they read answers, or requests that can't be
//! parsed.

use super::*;

#[tokio::test]
async fn endless_questions_do_not_fill_the_memory() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(with(someone)).await;
    let counting = tokio::spawn(async move {
        let mut open = Vec::new();
        // Each expected question may take long. For further questions, the test can only wait a
        // short time.
        while open.len() < 256 {
            let question = tokio::time::timeout(crate::AMPLE, asked.recv()).await;
            open.push(question.expect("in time").expect("a question"));
        }
        let quiet = Duration::from_millis(300);
        while let Ok(Some(question)) = tokio::time::timeout(quiet, asked.recv()).await {
            open.push(question);
        }
        open.len()
    });
    let flood: String = (0..5_000)
        .map(|n| format!("{}\n", elicit(n, colour())))
        .collect();
    pipe.write(&flood).await;
    assert_eq!(counting.await.expect("counted"), 256);
    session.close(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn answers_that_a_server_does_not_read_are_bounded_too() {
    let (someone, _asked) = person();
    for reused in [false, true] {
        let (session, mut pipe, _) = opened(with(someone.clone())).await;
        let flood: String = (0..20_000)
            .map(|n| if reused { 1 } else { n })
            .map(|id| {
                format!(
                    "{}\n",
                    json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
                )
            })
            .collect();
        pipe.write(&flood).await;
        let mut answers = 0;
        let quiet = Duration::from_millis(500);
        while let Ok(Some(_)) = tokio::time::timeout(quiet, pipe.next()).await {
            answers += 1;
        }
        // The answers that fit into the pipe, the queue and the waiting senders. The client has not
        // read the other requests.
        assert!(
            answers < 5_000,
            "{answers} answers were kept for it, reused {reused}"
        );
        drop(session);
    }
}

#[tokio::test]
async fn requests_that_make_no_sense_take_no_place_of_others() {
    let (someone, _asked) = person();
    let (_session, mut pipe, _) = opened(with(someone)).await;
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for id in 0..300 {
        pipe.write(&format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"x/y\",\"params\":{{\"deep\":{deep}}}}}\n"
        ))
        .await;
    }
    pipe.say(json!({"jsonrpc": "2.0", "id": 1_000, "method": "ping"}))
        .await;
    let said = tokio::time::timeout(crate::AMPLE, async {
        loop {
            let said = pipe.next().await.expect("an answer");
            if said["id"] == 1_000 {
                return said;
            }
        }
    });
    assert_eq!(
        said.await.expect("the ping is answered")["result"],
        json!({})
    );
}
