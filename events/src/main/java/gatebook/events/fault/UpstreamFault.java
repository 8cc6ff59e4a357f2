package gatebook.events.fault;

import gatebook.events.call.Erasable;
import gatebook.events.call.JsonValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A fault of an upstream. Addresses and messages are the upstream's own. */
public sealed interface UpstreamFault extends Fault {

  @Override
  default Category category() {
    return Category.UPSTREAM;
  }

  @Override
  default Severity severity() {
    return Severity.ERROR;
  }

  /** The connection failed, so nothing was done. */
  record UpstreamConnectionFailed(
      @LogField("source") String source,
      @LogField("url") String url,
      @Erasable @LogField("reason") String reason,
      @LogField("attempts") int attempts)
      implements UpstreamFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Cannot connect to the upstream server").details(withoutSecrets(url));
    }

    /** Scheme, host, port and path of a URL; absent when it cannot be parsed. */
    private static @Nullable String withoutSecrets(String url) {
      try {
        URI uri = new URI(url);
        return uri.getHost() == null
            ? null
            : new URI(
                    uri.getScheme(), null, uri.getHost(), uri.getPort(), uri.getPath(), null, null)
                .toString();
      } catch (URISyntaxException _) {
        return null;
      }
    }
  }

  /** No response in time; it is unknown whether anything was done. */
  record UpstreamTimeout(
      @LogField("source") String source,
      @LogField("url") String url,
      @LogField("timeout_millis") long timeoutMillis)
      implements UpstreamFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("The upstream server did not answer in time")
          .details("no answer within " + PublicFault.seconds(timeoutMillis));
    }
  }

  /**
   * The upstream answered with an error, or with something that is not a response: then {@code
   * code} is absent. When it is {@code passed}, the caller gets the upstream's own code, message
   * and data; secrets were already removed from both. False says that the upstream sent an error
   * whose code is none.
   */
  record UpstreamError(
      @LogField("source") String source,
      @LogField(value = "upstream_code", isLast = true) @Nullable Integer code,
      @Erasable @LogField("reason") String message,
      @Erasable @NotLogged @Nullable JsonValue data,
      @LogField(value = "upstream_status", isLast = true) @Nullable Integer httpStatus,
      @Nullable Boolean passed)
      implements UpstreamFault {

    private static final int ERROR_STATUS_MIN = 400;
    private static final int RESOURCE_NOT_FOUND = -32_002;

    /** The errors of JSON-RPC by which a server refuses what a client asked for. */
    private static final Set<Integer> CLIENT_CODES = Set.of(-32_600, -32_601, -32_602);

    /** The client's own mistake, if the upstream says so and the client gets its words. */
    @Override
    public Category category() {
      return isOfClient() ? Category.CLIENT : Category.UPSTREAM;
    }

    @Override
    public Severity severity() {
      return isOfClient() ? Severity.WARN : Severity.ERROR;
    }

    @Override
    public PublicFault shown() {
      return returnedAnError(message);
    }

    private boolean isOfClient() {
      return Boolean.TRUE.equals(passed)
          && code != null
          && (CLIENT_CODES.contains(code) || (code == RESOURCE_NOT_FOUND && namesResource()));
    }

    /** As MCP has it; the code alone may have another meaning. */
    private boolean namesResource() {
      return data != null && data.toString().contains("\"uri\"");
    }

    /** Whether the upstream sent an error, rather than something else that is no response. */
    public boolean wasSentAsError() {
      return code != null
          || passed != null
          || (httpStatus != null && httpStatus >= ERROR_STATUS_MIN);
    }

    /** An error that callers get translated to one of the gateway's own. */
    public UpstreamError(
        String source,
        @Nullable Integer code,
        String message,
        @Nullable JsonValue data,
        @Nullable Integer httpStatus) {
      this(source, code, message, data, httpStatus, null);
    }
  }

  /** An agent's response violates the agent protocol. */
  record InvalidAgentResponse(
      @LogField("source") String source, @Erasable @LogField("reason") String reason)
      implements UpstreamFault {
    @Override
    public PublicFault shown() {
      return returnedAnError("its answer breaks the protocol");
    }
  }

  /** An executor accepted the task and failed. */
  record ExecutorFailed(
      @LogField(LogField.TASK_ID) @Nullable String taskId,
      @LogField("executor") String executor,
      @Erasable @LogField("reason") String error)
      implements UpstreamFault {
    @Override
    public PublicFault shown() {
      return returnedAnError("the executor failed");
    }
  }

  /** The coordinator that assigns an agent's tasks failed; the gateway itself has none. */
  record CoordinatorError(@Erasable @LogField("reason") String reason) implements UpstreamFault {
    @Override
    public PublicFault shown() {
      return returnedAnError("the coordinator failed");
    }
  }

  private static PublicFault returnedAnError(String details) {
    return PublicFault.of("The upstream server returned an error").details(details);
  }
}
