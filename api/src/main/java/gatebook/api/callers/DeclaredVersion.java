package gatebook.api.callers;

import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The version of its dialect that a caller declares. */
final class DeclaredVersion {

  private static final Pattern AGENTS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9}){1,2}");
  private static final String AGENTS_WHEN_EMPTY = "0.3";
  private static final String AGENTS_WHEN_NONE_OF_THAT_FORM = "unknown";

  private DeclaredVersion() {}

  /** Absent when it declares none. */
  static @Nullable String version(Dialect dialect, HttpRequest<?> request) {
    return switch (dialect) {
      case MCP -> request.getHeaders().get("MCP-Protocol-Version");
      case A2A -> agents(request.getHeaders().get("A2A-Version"));
      case DAEMON, FLOW -> null;
    };
  }

  /** Whoever sends the header speaks the versioned protocol, even if nobody knows which version. */
  private static @Nullable String agents(@Nullable String header) {
    if (header == null) {
      return null;
    }
    String version = header.strip();
    if (version.isEmpty()) {
      return AGENTS_WHEN_EMPTY;
    }
    return AGENTS.matcher(version).matches() ? version : AGENTS_WHEN_NONE_OF_THAT_FORM;
  }
}
