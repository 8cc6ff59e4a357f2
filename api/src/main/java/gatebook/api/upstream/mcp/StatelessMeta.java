package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads and writes the metadata of requests and results in the stateless revisions. */
public final class StatelessMeta {

  private static final String META = "_meta";

  private static final String COMPLETE = "\"resultType\":\"complete\"";
  private static final String UNCACHED = "\"ttlMs\":0,\"cacheScope\":\"private\"";

  /** The capabilities that need a session with the source. */
  private static final List<List<String>> SESSION_NEEDS =
      List.of(
          List.of("logging"),
          List.of("tasks"),
          List.of("extensions", "io.modelcontextprotocol/tasks"),
          List.of("resources", "subscribe"),
          List.of("resources", "listChanged"),
          List.of("tools", "listChanged"),
          List.of("prompts", "listChanged"));

  private static final String NAMELESS = "{\"name\":\"unnamed\",\"version\":\"0\"}";

  private StatelessMeta() {}

  public static boolean isStateless(Call call) {
    return McpRevisions.isStateless(call.headers().get(ForwardedHeaders.PROTOCOL_VERSION))
        || call.members().members(META).text(McpRevisions.VERSION_KEY).isPresent();
  }

  /**
   * Adds the metadata to params that do not have it.
   *
   * @param capabilities the text of an object
   * @param clientInfo the same
   */
  public static @Nullable String withMeta(
      @Nullable String params, String version, String capabilities, String clientInfo) {
    return withMeta(params, ObjectMembers.of(params), version, capabilities, clientInfo);
  }

  /**
   * Adds the metadata to params that do not have it.
   *
   * @param members those of the params, the metadata at least
   * @param capabilities the text of an object
   * @param clientInfo the same
   */
  public static @Nullable String withMeta(
      @Nullable String params,
      ObjectMembers members,
      String version,
      String capabilities,
      String clientInfo) {
    String object = params == null ? "{}" : params;
    if (!object.startsWith("{")
        || members.members(META).json(McpRevisions.VERSION_KEY).isPresent()) {
      return params;
    }
    String meta = members.json(META).filter(json -> json.startsWith("{")).orElse("{}");
    String versioned = MemberSplice.with(meta, List.of(McpRevisions.VERSION_KEY), quoted(version));
    String capable =
        MemberSplice.with(versioned, List.of(McpRevisions.CAPABILITIES_KEY), capabilities);
    return MemberSplice.with(
        object,
        List.of(META),
        MemberSplice.with(capable, List.of(McpRevisions.CLIENT_INFO_KEY), clientInfo));
  }

  /** Gatebook as a client, as the text of an object. */
  public static String clientInfo(String version) {
    return "{\"name\":\"gatebook\",\"version\":%s}".formatted(quoted(version));
  }

  /**
   * The result of {@code initialize} for a stateless source. It declares only what such a source
   * can serve: no log level, no subscription and no change of a list, which a client of this
   * revision would get without asking for it, and no tasks, which it asks for in another way.
   */
  public static String initializeResult(String discovered, String initializeParams) {
    ObjectMembers found = ObjectMembers.of(discovered);
    StringJoiner all = new StringJoiner(",", "{", "}");
    all.add("\"protocolVersion\":" + quoted(negotiated(initializeParams)));
    all.add("\"capabilities\":" + withoutSessionNeeds(found.json("capabilities").orElse("{}")));
    all.add(
        "\"serverInfo\":"
            + found.members(META).json("io.modelcontextprotocol/serverInfo").orElse(NAMELESS));
    found.json("instructions").ifPresent(words -> all.add("\"instructions\":" + words));
    return all.toString();
  }

  private static String withoutSessionNeeds(String capabilities) {
    String fewer = capabilities.startsWith("{") ? capabilities : "{}";
    for (List<String> path : SESSION_NEEDS) {
      fewer = MemberSplice.without(fewer, path);
    }
    return fewer;
  }

  private static String negotiated(String initializeParams) {
    return ObjectMembers.of(initializeParams)
        .text("protocolVersion")
        .filter(McpRevisions.NEGOTIATED::contains)
        .orElse(McpRevisions.NEGOTIATED.getFirst());
  }

  /** The result of {@code server/discover} with these members, each of which is JSON text. */
  public static String discoverResult(
      String capabilities, String serverInfo, Optional<String> instructions) {
    StringJoiner all = new StringJoiner(",", "{", "}");
    all.add(COMPLETE);
    all.add(
        "\"supportedVersions\":[%s]"
            .formatted(
                McpRevisions.STATELESS.stream().map(JsonStrings::quoted).collect(joining(","))));
    all.add("\"capabilities\":" + capabilities);
    all.add("\"_meta\":{\"io.modelcontextprotocol/serverInfo\":%s}".formatted(serverInfo));
    instructions.ifPresent(words -> all.add("\"instructions\":" + words));
    return all.add(UNCACHED).toString();
  }

  /** The result of {@code server/discover} for a source that supports only {@code initialize}. */
  public static String discoverResult(String initializeResult) {
    ObjectMembers result = ObjectMembers.of(initializeResult);
    return discoverResult(
        result.json("capabilities").orElse("{}"),
        result.json("serverInfo").orElse(NAMELESS),
        result.json("instructions"));
  }

  /** Adds the members that the stateless revisions require to a result that lacks them. */
  public static Ended complete(String method, Ended ended) {
    return ended instanceof Ended.Result result
            && result.json().startsWith("{")
            && ObjectMembers.of(result.json()).json("resultType").isEmpty()
        ? result.withJson(completed(method, result.json()))
        : ended;
  }

  private static String completed(String method, String json) {
    String more =
        McpMethod.isCacheable(method) && ObjectMembers.of(json).json("ttlMs").isEmpty()
            ? COMPLETE + "," + UNCACHED
            : COMPLETE;
    String rest = json.substring(1).strip();
    return "{" + more + (rest.equals("}") ? "" : ",") + rest;
  }
}
