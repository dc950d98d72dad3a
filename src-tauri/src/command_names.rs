// The names of the window's commands. `build.rs` and the library both include this file: the one
// makes a permission of each name, the other registers a function for each.
[
    "app_info",
    "roster",
    "member_tools",
    "search_tools",
    "tool_detail",
    "member_detail",
    "check_arguments",
    "invoke_tool",
    "cancel_call",
    "start_member",
    "stop_member",
    "restart_member",
    "refresh_member",
    "refresh_tool_caches",
    "subscribe",
    "window_ready",
    "save_file",
    "pick_path",
]
