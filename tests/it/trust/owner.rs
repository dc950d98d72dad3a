//! A data folder that belongs to another user is rejected.

use std::os::unix::fs::chown;

use super::*;

#[tokio::test]
async fn data_folder_of_another_user_is_refused() {
    let cli = CliHarness::new("another user's folder").await;
    let data = cli.env.data_dir();
    std::fs::create_dir_all(&data).expect("a folder");
    // Only root can change the owner of a folder, and root can use any folder.
    if chown(&data, Some(65_534), None).is_err() {
        return;
    }
    let ended = cli.run(&["--json", "serve", "--no-gateway"]).await;
    let said = ended.json(2);
    assert_eq!(said["error"]["code"], "data-of-another", "{said}");
    let message = said["error"]["message"].as_str().expect("a message");
    assert!(
        message.contains("nobody") || message.contains("65534"),
        "{said}"
    );
    let hint = said["error"]["hint"].as_str().expect("a hint");
    assert!(hint.contains("--data"), "{said}");
    assert!(!data.join("hall.lock").exists(), "nothing is written there");
}
