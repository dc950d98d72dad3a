/**
 * The APIs through which agents ask a model. For each API: how to read the tools and the results of earlier calls from
 * a request, and how to form a reply. A reply is a tool call, or "Done." without one.
 */

const DONE = "Done.";

/** Anthropic's Messages API. */
const messages = {
  path: /^\/v1\/messages$/,
  streams: (body) => body.stream === true,
  tools: (body) => (body.tools ?? []).map(({ name, description }) => ({ name, description })),
  results: (body) =>
    body.messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter((block) => block.type === "tool_result")
      .map((block) => textOf(block.content)),
  reply(body, call, id) {
    const block =
      call === undefined
        ? { type: "text", text: DONE }
        : { type: "tool_use", id, name: call.name, input: call.input };
    const message = {
      id: "msg_stand_in",
      type: "message",
      role: "assistant",
      model: body.model,
      content: [block],
      stop_reason: call === undefined ? "end_turn" : "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const [begun, delta] =
      call === undefined
        ? [{ ...block, text: "" }, { type: "text_delta", text: DONE }]
        : [{ ...block, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(call.input) }];
    const { stop_reason, stop_sequence, usage } = message;
    const events = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: begun },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
      { type: "message_stop" },
    ];
    return { message, events };
  },
};

/** OpenAI's Responses API. */
const responses = {
  path: /^\/v1\/responses$/,
  streams: () => true,
  tools: (body) =>
    (body.tools ?? []).flatMap(({ type, name, description, tools }) =>
      type === "namespace"
        ? tools.map((tool) => ({ name: `${name}__${tool.name}`, description: tool.description }))
        : [{ name, description }],
    ),
  results: (body) =>
    body.input.filter((item) => item.type === "function_call_output").map((item) => textOf(item.output)),
  reply(body, call, id) {
    const item =
      call === undefined
        ? { type: "message", id: "msg_stand_in", role: "assistant", content: [{ type: "output_text", text: DONE }] }
        : {
            type: "function_call",
            call_id: id,
            ...inNamespace(body.tools, call.name),
            arguments: JSON.stringify(call.input),
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const events = [
      { type: "response.created", response: { id: "resp_stand_in" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "resp_stand_in", output: [item], usage } },
    ];
    return { events };
  },
};

/** The name of a tool, and its namespace if the tool is listed in one. */
function inNamespace(tools, name) {
  const space = tools.find((tool) => tool.type === "namespace" && name.startsWith(`${tool.name}__`));
  return space === undefined ? { name } : { namespace: space.name, name: name.slice(space.name.length + 2) };
}

/** OpenAI's Chat Completions API. */
const completions = {
  path: /^\/v1\/chat\/completions$/,
  streams: () => true,
  tools: (body) => (body.tools ?? []).map((tool) => tool.function),
  results: (body) => body.messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
  reply(body, call, id) {
    const delta =
      call === undefined
        ? { role: "assistant", content: DONE }
        : {
            role: "assistant",
            tool_calls: [
              { index: 0, id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } },
            ],
          };
    const chunk = { id: "chat_stand_in", object: "chat.completion.chunk", created: 0, model: body.model };
    const end = call === undefined ? "stop" : "tool_calls";
    const events = [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: end }] },
    ];
    return { events };
  },
};

/** Google's generateContent API. */
const generation = {
  path: /^\/v1beta\/models\/[^/]+:(streamG|g)enerateContent$/,
  streams: (_body, pathname) => pathname.endsWith(":streamGenerateContent"),
  tools: (body) => (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []),
  results: (body) =>
    body.contents
      .flatMap(({ parts }) => parts)
      .filter((part) => part.functionResponse !== undefined)
      .map(({ functionResponse }) => functionResponse.response.output ?? JSON.stringify(functionResponse.response)),
  reply(_body, call) {
    const part = call === undefined ? { text: DONE } : { functionCall: { name: call.name, args: call.input } };
    const message = {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    return { message, events: [message] };
  },
};

export const APIS = [messages, responses, completions, generation];

/** The text of a result, which is a string or a list of blocks. */
function textOf(content) {
  return typeof content === "string" ? content : content.map((block) => block.text).join("");
}
