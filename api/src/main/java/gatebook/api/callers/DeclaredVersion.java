package gatebook.api.callers;

import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.dialect.A2aProfile;
import gatebook.api.flow.task.FlowProfile;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * The dialect version that a caller declares, by a header, a parameter or the path that it uses.
 */
final class DeclaredVersion {

  static final String A2A_VERSION = "A2A-Version";

  private DeclaredVersion() {}

  /** Absent when it declares none. */
  static @Nullable String version(Dialect dialect, HttpRequest<?> request) {
    return switch (dialect) {
      case MCP -> request.getHeaders().get("MCP-Protocol-Version");
      case A2A -> a2a(A2aEndpoint.at(request.getPath()), request).version();
      case FLOW -> flow(request.getPath()).version();
      case DAEMON -> null;
    };
  }

  /** The paths below that of the protocol are those of existing clients. */
  private static FlowProfile flow(String path) {
    return FlowPaths.FLOW.equals(path) ? FlowProfile.PROTOCOL : FlowProfile.CLIENT;
  }

  /** The header comes first; the parameter is for clients that cannot send one. */
  static A2aProfile a2a(A2aEndpoint endpoint, HttpRequest<?> request) {
    String header = request.getHeaders().get(A2A_VERSION);
    return A2aProfile.of(
        endpoint.segment(), header == null ? request.getParameters().get(A2A_VERSION) : header);
  }
}
