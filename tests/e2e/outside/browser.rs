//! The system's browser opens only for a sign-in that a person requested, and only at an address
//! with a scheme for browsers.

use std::path::{Path, PathBuf};

use fantoccini::Locator;
use guild_tests::guarded::{Guarded, Switches, browse};
use serde_json::json;

use super::FORGE_ROW;
use crate::agents::button;
use crate::desktop::{Desktop, Home, until};

const SIGN_IN: Locator<'_> = Locator::Css("[data-testid=sign-in]");

/// Installs a program that records the addresses for the browser in a file, one per line, instead
/// of opening them. Returns the file.
fn without_a_browser(home: &Home) -> PathBuf {
    let opened = home.add_file("opened", "");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{}'\n",
        opened.display()
    );
    home.add_program("xdg-open", &script);
    opened
}

/// Opens the window at the member `forge`, a third-party server.
async fn at_forge(home: &Home, guarded: &Guarded) -> Desktop {
    let manifest = json!({
        "name": "forge", "version": "1.0.0", "transport": "http", "url": guarded.url(),
        "restart": "never",
    });
    home.add_member("forge", &manifest.to_string());
    let window = Desktop::open(home).await;
    window.click(FORGE_ROW).await;
    window.appears(SIGN_IN).await;
    window
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("the file")
}

#[tokio::test]
async fn sign_in_opens_only_its_own_address() {
    let home = Home::empty();
    let opened = without_a_browser(&home);
    let guarded = Guarded::serve(Switches::default())
        .await
        .expect("it serves");
    let window = at_forge(&home, &guarded).await;

    window.click(Locator::XPath(&button("Sign in…"))).await;
    let open = "//*[@data-testid='sign-in']//button[starts-with(normalize-space(), 'Open ')]";
    window.appears(Locator::XPath(open)).await;
    assert_eq!(read(&opened), "", "a person opens it");
    window.click(Locator::XPath(open)).await;
    let address = until("the browser is opened", async || {
        read(&opened).lines().next().map(str::to_owned)
    })
    .await;
    let authorize = format!("{}/authorize?", guarded.origin());
    assert!(address.starts_with(&authorize), "{address}");
    assert_eq!(read(&opened).lines().count(), 1, "one address, once");

    let (status, page) = browse(&address).await.expect("it leads back");
    assert_eq!(status, 200, "{page}");
    window.is_ready(FORGE_ROW).await;
    window.quit().await;
}

#[tokio::test]
async fn no_browser_is_opened_at_what_is_no_address_of_a_page() {
    for address in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "guildhall://page/settings",
    ] {
        let home = Home::empty();
        let opened = without_a_browser(&home);
        let guarded = Guarded::serve(Switches {
            authorize_at: Some(address.to_owned()),
            ..Switches::default()
        });
        let guarded = guarded.await.expect("it serves");
        let window = at_forge(&home, &guarded).await;
        window.click(Locator::XPath(&button("Sign in…"))).await;
        let failed = Locator::Css("[data-testid=sign-in-failed]");
        window
            .text_where(failed, |text| text.contains("sign-in-failed"))
            .await;

        // The page can't choose an address: only the address of a running sign-in is opened.
        let named = json!({"member": "forge", "address": address});
        let refusal = window.ask("open_sign_in", named).await;
        let refusal = refusal.expect_err("nothing is opened");
        assert!(!refusal.is_null(), "{refusal}");
        let refusal = window.ask("open_sign_in", json!({"member": "forge"})).await;
        let refusal = refusal.expect_err("nothing is opened");
        assert_eq!(refusal["code"], "sign-in-unknown", "{refusal}");
        assert_eq!(read(&opened), "", "{address}");
        window.quit().await;
    }
}
