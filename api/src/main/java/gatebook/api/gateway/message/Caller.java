package gatebook.api.gateway.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller that sent a message, as its transport knows it.
 *
 * @param authorization every {@code Authorization} header, as it was sent
 * @param local whether the message came from this machine
 * @param connection reports when the caller disconnects
 * @param taskRun the run of a task, when the gateway itself calls; absent for every other caller
 */
public record Caller(
    List<String> authorization,
    boolean local,
    CallerConnection connection,
    @Nullable TaskRun taskRun) {
  public Caller {
    authorization = List.copyOf(authorization);
  }

  /** A caller that is not the gateway itself. */
  public Caller(List<String> authorization, boolean local, CallerConnection connection) {
    this(authorization, local, connection, null);
  }
}
