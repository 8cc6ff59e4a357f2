package gatebook.api.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RequestMember;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.HeaderMismatch;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import gatebook.events.fault.Unsupported.ClientCapabilityMissing;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Validates requests of the stateless revisions: each must carry its revision and capabilities, and
 * its headers must match its body. Requests of other revisions are not checked.
 */
final class StatelessRequest {

  private static final String META = "_meta";
  static final String TASKS_EXTENSION = "io.modelcontextprotocol/tasks";
  private static final String VERSION_HEADER = "MCP-Protocol-Version";
  private static final String METHOD_HEADER = "Mcp-Method";
  private static final String NAME_HEADER = "Mcp-Name";

  /** The longest version that is reported back. */
  private static final int VERSION_CHARS_MAX = 64;

  private StatelessRequest() {}

  /** Whether a request claims to be of a stateless revision, supported or not. */
  static boolean isStateless(DialectCall dialectCall) {
    return claimedVersion(dialectCall).isPresent()
        || McpRevisions.isStateless(dialectCall.version());
  }

  private static Optional<String> claimedVersion(DialectCall dialectCall) {
    return dialectCall.members().members(META).text(McpRevisions.VERSION_KEY);
  }

  /** Whether the sender declares the tasks extension. */
  static boolean supportsTasks(DialectCall dialectCall) {
    return dialectCall
        .members()
        .members(META)
        .members(McpRevisions.CAPABILITIES_KEY)
        .members("extensions")
        .json(TASKS_EXTENSION)
        .isPresent();
  }

  /** Why a request is refused. */
  static Optional<Fault> refusal(DialectCall dialectCall) {
    return isStateless(dialectCall)
        ? missing(dialectCall)
            .or(() -> mismatch(dialectCall))
            .or(() -> unsupported(dialectCall))
            .or(() -> removed(dialectCall))
            .or(() -> undeclaredTasks(dialectCall))
        : unsupportedHeader(dialectCall);
  }

  private static Optional<Fault> missing(DialectCall dialectCall) {
    ObjectMembers meta = dialectCall.members().members(META);
    return Stream.of(
            Map.entry(McpRevisions.VERSION_KEY, meta.text(McpRevisions.VERSION_KEY).isPresent()),
            Map.entry(
                McpRevisions.CAPABILITIES_KEY,
                meta.json(McpRevisions.CAPABILITIES_KEY)
                    .filter(json -> json.startsWith("{"))
                    .isPresent()))
        .filter(entry -> !entry.getValue())
        .map(entry -> missingMember(entry.getKey(), meta))
        .findFirst();
  }

  private static Fault missingMember(String name, ObjectMembers meta) {
    return new InvalidParams(
        List.of(
            new Problem(
                META + "." + name,
                null,
                "what every request says",
                meta.json(name).map(JsonType::quotedOf).orElse(RequestMember.NOTHING),
                List.of())));
  }

  /** A header that does not match the body; not checked when the headers are not known. */
  private static Optional<Fault> mismatch(DialectCall dialectCall) {
    Map<String, String> headers = dialectCall.headers();
    if (headers == null) {
      return Optional.empty();
    }
    if (!claimedVersion(dialectCall).equals(Optional.ofNullable(dialectCall.version()))) {
      return Optional.of(new HeaderMismatch(VERSION_HEADER));
    }
    if (!dialectCall.method().equals(value(headers, METHOD_HEADER))) {
      return Optional.of(new HeaderMismatch(METHOD_HEADER));
    }
    String name = value(headers, NAME_HEADER);
    boolean wrong =
        McpMethod.isNamedInHeader(dialectCall.method())
            ? !isNamed(dialectCall, name)
            : name != null && !isTask(dialectCall, name);
    return wrong ? Optional.of(new HeaderMismatch(NAME_HEADER)) : Optional.empty();
  }

  private static @Nullable String value(Map<String, String> headers, String name) {
    String value = headers.get(name.toLowerCase(Locale.ROOT));
    return value == null ? null : value.strip();
  }

  private static boolean isNamed(DialectCall dialectCall, @Nullable String header) {
    Optional<String> name =
        McpMethod.targetMember(dialectCall.method()).flatMap(dialectCall.members()::text);
    return name.isEmpty() || (header != null && name.get().equals(decoded(header)));
  }

  /** The header of a method about a task has the task's id; for other methods it has no meaning. */
  private static boolean isTask(DialectCall dialectCall, String header) {
    return !McpMethod.isAboutTasks(dialectCall.method())
        || dialectCall.members().text("taskId").map(decoded(header)::equals).orElse(true);
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

  private static Optional<Fault> unsupported(DialectCall dialectCall) {
    return claimedVersion(dialectCall)
        .filter(version -> !McpRevisions.STATELESS.contains(version))
        .map(version -> new VersionNotSupported(shortened(version), McpRevisions.STATELESS));
  }

  /** The revision that a header names after a client has negotiated one. */
  private static Optional<Fault> unsupportedHeader(DialectCall dialectCall) {
    Map<String, String> headers = dialectCall.headers();
    String version = headers == null ? null : value(headers, VERSION_HEADER);
    return version == null
            || dialectCall.method().equals(McpMethod.INITIALIZE)
            || McpRevisions.isSupported(version)
        ? Optional.empty()
        : Optional.of(new VersionNotSupported(shortened(version), McpRevisions.SUPPORTED));
  }

  /** Scrubs before it shortens, because half a secret is not recognised. */
  private static String shortened(String version) {
    return TextPrefix.of(Scrubber.BUILT_IN.scrub(version), VERSION_CHARS_MAX);
  }

  private static Optional<Fault> removed(DialectCall dialectCall) {
    return McpMethod.isRemoved(dialectCall.method())
        ? Optional.of(new MethodNotFound(dialectCall.method()))
        : Optional.empty();
  }

  /** Why a request about a task is refused: its sender did not declare the extension for tasks. */
  static Optional<Fault> undeclaredTasks(DialectCall dialectCall) {
    return isStateless(dialectCall)
            && McpMethod.isAboutOneTask(dialectCall.method())
            && !supportsTasks(dialectCall)
        ? Optional.of(
            new ClientCapabilityMissing(
                List.of(ClientCapabilityMissing.EXTENSIONS + TASKS_EXTENSION)))
        : Optional.empty();
  }
}
