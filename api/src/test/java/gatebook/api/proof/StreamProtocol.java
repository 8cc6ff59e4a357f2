package gatebook.api.proof;

import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Request;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.UUID;

/** A protocol in which callers get streams: their calls, and the sources that answer them. */
enum StreamProtocol {
  /** A stream of each tool goes to its caller. */
  MCP,

  /** The built-in agent streams the task of each call of a tool. */
  BUILT_IN_AGENT,

  /** A stream of each agent upstream goes to its caller. */
  AGENT_UPSTREAM;

  /** A text that only the end of the call with this number has. */
  static String text(int number) {
    return "\"text\":\"number %d\"".formatted(number);
  }

  /** The protocol of the source that gets a request. */
  static StreamProtocol of(Request request) {
    return request.head().lines().findFirst().orElse("").contains("/" + AGENT_UPSTREAM)
        ? AGENT_UPSTREAM
        : MCP;
  }

  /** A source in the rules, at a server's address. */
  String source(String name, StubServer server) {
    String url = server.url("/%s/%s".formatted(this, name)).toString();
    return this == AGENT_UPSTREAM
        ? "  - {id: %s, kind: a2a, timeout: 10m, url: \"%s\"}\n".formatted(id(name), url)
        : "  - {id: %s, kind: mcp, prefix: %s., timeout: 10m, url: \"%s\"}\n"
            .formatted(id(name), id(name), url);
  }

  private String id(String name) {
    return this == AGENT_UPSTREAM ? "agent_" + name : name;
  }

  /** A call of a caller. */
  HttpRequest call(ServerProcess server, String source, int number, boolean isStream) {
    String path =
        switch (this) {
          case MCP -> "/mcp";
          case BUILT_IN_AGENT -> "/a2a/v1";
          case AGENT_UPSTREAM -> "/a2a/%s/v1".formatted(id(source));
        };
    return HttpRequest.newBuilder(server.mcp().resolve(path))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .POST(
            BodyPublishers.ofString(
                "{\"jsonrpc\":\"2.0\",\"id\":%d,%s}"
                    .formatted(
                        number,
                        this == MCP ? tool(source, number) : message(source, number, isStream))))
        .build();
  }

  private static String tool(String source, int number) {
    return """
    "method":"tools/call","params":{"name":"%s.work","arguments":{"number":%d}}\
    """
        .formatted(source, number);
  }

  private String message(String source, int number, boolean isStream) {
    String metadata =
        this == BUILT_IN_AGENT ? "\"metadata\":{\"skillId\":\"%s.work\"},".formatted(source) : "";
    return """
    "method":"%s","params":{"message":{"role":"ROLE_USER","messageId":"%s",%s\
    "parts":[{"data":{"number":%d}}]}}\
    """
        .formatted(
            isStream ? "SendStreamingMessage" : "SendMessage", UUID.randomUUID(), metadata, number);
  }

  /** The card of an agent, or the tools of a source. */
  String description(Request request) {
    return this == AGENT_UPSTREAM
        ? """
        {"name":"worker","version":"1","supportedInterfaces":[{"url":"http://%s/agent",\
        "protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":true},\
        "skills":[]}\
        """
            .formatted(request.header("Host"))
        : response(
            request, "{\"tools\":[{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"}}]}");
  }

  /** The first event of a source's stream. */
  String beginning(Request request, int number) {
    return this == AGENT_UPSTREAM
        ? response(
            request, "{\"task\":{%s,%s}}".formatted(ids("id", number), status("WORKING", "")))
        : """
        {"jsonrpc":"2.0","method":"notifications/message",\
        "params":{"level":"info","data":"at it"}}\
        """;
  }

  /** The last event of a source's stream. */
  String end(Request request, int number) {
    return this == AGENT_UPSTREAM
        ? response(
            request,
            "{\"statusUpdate\":{%s,%s}}".formatted(ids("taskId", number), completed(number)))
        : answer(request, number);
  }

  /** The answer of a source to a call without a stream. */
  String answer(Request request, int number) {
    return response(
        request,
        this == AGENT_UPSTREAM
            ? "{\"task\":{%s,%s}}".formatted(ids("id", number), completed(number))
            : "{\"content\":[{\"type\":\"text\",%s}]}".formatted(text(number)));
  }

  private static String completed(int number) {
    return status(
        "COMPLETED",
        ",\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_AGENT\",\"parts\":[{%s}]}"
            .formatted(text(number)));
  }

  private static String status(String state, String member) {
    return "\"status\":{\"state\":\"TASK_STATE_%s\"%s}".formatted(state, member);
  }

  private static String ids(String name, int number) {
    return "\"%s\":\"task-%d\",\"contextId\":\"context-%d\"".formatted(name, number, number);
  }

  private static String response(Request request, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(request.id(), result);
  }
}
