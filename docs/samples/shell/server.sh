#!/usr/bin/env bash
# A member with two tools in plain Bash: a line of JSON-RPC comes in, a line goes out. It needs jq.
# stdout is the protocol's; whatever is printed for people goes to stderr.
set -uo pipefail

readonly TOOLS='[
  {
    "name": "count_words",
    "description": "Counts the words and letters of a text.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "text": { "type": "string", "maxLength": 10000, "description": "What is counted" }
      },
      "required": ["text"]
    },
    "outputSchema": {
      "type": "object",
      "properties": { "words": { "type": "integer" }, "letters": { "type": "integer" } },
      "required": ["words", "letters"]
    },
    "annotations": { "readOnlyHint": true }
  },
  {
    "name": "count_down",
    "description": "Counts down to zero and reports each step.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "start": {
          "type": "integer", "minimum": 1, "maximum": 10, "default": 3,
          "description": "Where it begins"
        },
        "pause_ms": {
          "type": "integer", "minimum": 0, "maximum": 1000, "default": 100,
          "description": "The pause after each number"
        }
      }
    },
    "annotations": { "readOnlyHint": true }
  }
]'

# answer ID RESULT
answer() {
  jq -cn --argjson id "$1" --argjson result "$2" '{jsonrpc: "2.0", id: $id, result: $result}'
}

# refuse ID CODE MESSAGE
refuse() {
  jq -cn --argjson id "$1" --argjson code "$2" --arg message "$3" \
    '{jsonrpc: "2.0", id: $id, error: {code: $code, message: $message}}'
}

# A result in words, and a failure that the caller can read and act on.
said() { jq -cn --arg text "$1" '{content: [{type: "text", text: $text}]}'; }
failed() { jq -cn --arg text "$1" '{content: [{type: "text", text: $text}], isError: true}'; }

# count_words ARGUMENTS
count_words() {
  # In jq, because it counts characters and not bytes.
  jq -c '
    [.text | strings | scan("\\S+")] as $words
    | if ($words | length) == 0
      then {content: [{type: "text", text: "The text contains no words."}], isError: true}
      else {words: ($words | length), letters: ($words | map(length) | add)}
        | {content: [{type: "text", text: tojson}], structuredContent: .}
      end' <<<"$1"
}

# count_down ARGUMENTS PROGRESS_TOKEN
count_down() {
  local start pause_ms step
  start=$(jq '.start // 3 | numbers | floor' <<<"$1")
  pause_ms=$(jq '.pause_ms // 100 | numbers | floor' <<<"$1")
  if [[ ! $start =~ ^([1-9]|10)$ || ! $pause_ms =~ ^[0-9]{1,4}$ ]]; then
    failed "It counts from 1 to 10, with a pause of up to 1000 ms."
    return
  fi
  for ((step = 1; step <= start; step++)); do
    # Only a caller that gave a token is told. Not to stdout, which is this function's answer.
    [[ $2 == null ]] || jq -cn --argjson token "$2" --argjson step "$step" --argjson of "$start" \
      '{jsonrpc: "2.0", method: "notifications/progress", params:
        {progressToken: $token, progress: $step, total: $of, message: "\($of - $step) to go"}}' >&3
    sleep "$((pause_ms / 1000)).$(printf '%03d' $((pause_ms % 1000)))"
  done
  said "Counted down from $start."
}

# call ID PARAMS
call() {
  local arguments token
  arguments=$(jq -c '.arguments // {}' <<<"$2")
  token=$(jq -c '._meta.progressToken // null' <<<"$2")
  case $(jq -r '.name // ""' <<<"$2") in
    count_words) answer "$1" "$(count_words "$arguments")" ;;
    count_down) answer "$1" "$(count_down "$arguments" "$token")" ;;
    *) refuse "$1" -32602 "There is no such tool." ;;
  esac
}

# What a function says on the way goes to the protocol too.
exec 3>&1

while IFS= read -r line; do
  if ! message=$(jq -c 'objects' <<<"$line" 2>/dev/null) || [[ -z $message ]]; then
    refuse null -32700 "That is no message."
    continue
  fi
  id=$(jq -c '.id' <<<"$message")
  # What has no id is told, and not asked.
  [[ $id == null ]] && continue
  params=$(jq -c '.params // {}' <<<"$message")
  case $(jq -r '.method // ""' <<<"$message") in
    initialize)
      answer "$id" '{
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "words-shell", "version": "1.0.0"}
      }'
      ;;
    ping) answer "$id" '{}' ;;
    tools/list) answer "$id" "$(jq -cn --argjson tools "$TOOLS" '{tools: $tools}')" ;;
    tools/call) call "$id" "$params" ;;
    *) refuse "$id" -32601 "There is no such method." ;;
  esac
done
