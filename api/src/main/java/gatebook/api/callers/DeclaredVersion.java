package gatebook.api.callers;

import gatebook.api.flow.FlowProfile;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The dialect version that a caller declares, by a header or by the path that it uses. */
final class DeclaredVersion {

  private static final Pattern A2A_VERSION = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9}){1,2}");
  private static final String A2A_WHEN_EMPTY = "0.3";
  private static final String A2A_WHEN_INVALID = "unknown";

  private DeclaredVersion() {}

  /** Absent when it declares none. */
  static @Nullable String version(Dialect dialect, HttpRequest<?> request) {
    return switch (dialect) {
      case MCP -> request.getHeaders().get("MCP-Protocol-Version");
      case A2A -> a2a(request.getHeaders().get("A2A-Version"));
      case FLOW -> flow(request.getPath()).version();
      case DAEMON -> null;
    };
  }

  /** The paths below that of the protocol are those of existing clients. */
  private static FlowProfile flow(String path) {
    return CallersController.FLOW.equals(path) ? FlowProfile.PROTOCOL : FlowProfile.CLIENT;
  }

  /** A client that sends the header uses the versioned protocol, also with an invalid version. */
  private static @Nullable String a2a(@Nullable String header) {
    if (header == null) {
      return null;
    }
    String version = header.strip();
    if (version.isEmpty()) {
      return A2A_WHEN_EMPTY;
    }
    return A2A_VERSION.matcher(version).matches() ? version : A2A_WHEN_INVALID;
  }
}
