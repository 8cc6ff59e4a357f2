package gatebook.api.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.HeaderMismatch;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the stateless revisions want of a request: that it says what it is of, and that its headers
 * repeat what it says. Of a request that does not claim to be of one of them, nothing is wanted.
 */
final class StatelessRequest {

  private static final String META = "_meta";
  static final String TASKS_EXTENSION = "io.modelcontextprotocol/tasks";
  private static final String VERSION_HEADER = "MCP-Protocol-Version";
  private static final String METHOD_HEADER = "Mcp-Method";
  private static final String NAME_HEADER = "Mcp-Name";

  /** No version is longer. */
  private static final int VERSION_CHARS_MAX = 64;

  private static final Set<String> NAMED = Set.of("tools/call", "resources/read", "prompts/get");

  /** What there was, and is no more. */
  private static final Set<String> REMOVED =
      Set.of(
          "initialize",
          "ping",
          "logging/setLevel",
          "resources/subscribe",
          "resources/unsubscribe",
          "tasks/list",
          "tasks/result");

  private StatelessRequest() {}

  /** Whether a request says that it is of one of these revisions, rightly or not. */
  static boolean isStateless(Asking asking) {
    return said(asking).isPresent() || McpRevisions.isStateless(asking.version());
  }

  private static Optional<String> said(Asking asking) {
    return asking.members().members(META).text(McpRevisions.VERSION_KEY);
  }

  /** Whether whoever sent it says that he knows the extension for tasks. */
  static boolean knowsTasks(Asking asking) {
    return asking
        .members()
        .members(META)
        .members(McpRevisions.CAPABILITIES_KEY)
        .members("extensions")
        .json(TASKS_EXTENSION)
        .isPresent();
  }

  /** Why a request is not to be served; empty also when it is of no such revision. */
  static Optional<Fault> refusal(Asking asking) {
    return isStateless(asking)
        ? missing(asking)
            .or(() -> mismatch(asking))
            .or(() -> unsupported(asking))
            .or(() -> removed(asking))
        : Optional.empty();
  }

  private static Optional<Fault> missing(Asking asking) {
    ObjectMembers meta = asking.members().members(META);
    return Stream.of(
            Map.entry(McpRevisions.VERSION_KEY, meta.text(McpRevisions.VERSION_KEY).isPresent()),
            Map.entry(
                McpRevisions.CAPABILITIES_KEY,
                meta.json(McpRevisions.CAPABILITIES_KEY)
                    .filter(json -> json.startsWith("{"))
                    .isPresent()))
        .filter(wanted -> !wanted.getValue())
        .map(wanted -> wanted(META + "." + wanted.getKey()))
        .findFirst();
  }

  private static Fault wanted(String member) {
    return new InvalidParams(
        List.of(new Problem(member, null, "what every request says", null, List.of())));
  }

  /** Of a request whose headers nobody knows any more, nothing is said. */
  private static Optional<Fault> mismatch(Asking asking) {
    Map<String, String> headers = asking.headers();
    if (headers == null) {
      return Optional.empty();
    }
    if (!said(asking).equals(Optional.ofNullable(asking.version()))) {
      return Optional.of(new HeaderMismatch(VERSION_HEADER));
    }
    if (!asking.method().equals(value(headers, METHOD_HEADER))) {
      return Optional.of(new HeaderMismatch(METHOD_HEADER));
    }
    String name = value(headers, NAME_HEADER);
    boolean wrong =
        NAMED.contains(asking.method())
            ? !isNamed(asking, name)
            : name != null && !isTask(asking, name);
    return wrong ? Optional.of(new HeaderMismatch(NAME_HEADER)) : Optional.empty();
  }

  private static @Nullable String value(Map<String, String> headers, String name) {
    String value = headers.get(name.toLowerCase(Locale.ROOT));
    return value == null ? null : value.strip();
  }

  private static boolean isNamed(Asking asking, @Nullable String header) {
    Optional<String> name = CallTargets.member(asking.method()).flatMap(asking.members()::text);
    return name.isEmpty() || (header != null && name.get().equals(decoded(header)));
  }

  /** Methods about a task repeat its id; of others, nobody says what a name would mean. */
  private static boolean isTask(Asking asking, String header) {
    return !asking.method().startsWith("tasks/")
        || asking.members().text("taskId").map(decoded(header)::equals).orElse(true);
  }

  private static String decoded(String header) {
    if (!header.startsWith("=?base64?") || !header.endsWith("?=")) {
      return header;
    }
    try {
      return new String(
          Base64.getDecoder().decode(header.substring(9, header.length() - 2)), UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  private static Optional<Fault> unsupported(Asking asking) {
    return said(asking)
        .filter(version -> !McpRevisions.STATELESS.contains(version))
        .map(version -> new VersionNotSupported(kept(version), McpRevisions.STATELESS));
  }

  /** Half a secret looks like none, so it is taken out first. */
  private static String kept(String version) {
    return TextPrefix.of(Scrubber.BUILT_IN.scrub(version), VERSION_CHARS_MAX);
  }

  private static Optional<Fault> removed(Asking asking) {
    return REMOVED.contains(asking.method())
        ? Optional.of(new MethodNotFound(asking.method()))
        : Optional.empty();
  }
}
