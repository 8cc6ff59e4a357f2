package gatebook.api.gateway.message;

import gatebook.command.rules.Credential;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller that sent a message, as its transport knows it.
 *
 * @param authorization every {@code Authorization} header, as it was sent
 * @param verdict on its token, when it sent one
 * @param certificates the names in the certificate of its connection; none when it sent a token
 * @param local whether the message came from this machine
 * @param connection reports when the caller disconnects
 * @param taskRun the run of a task, when the gateway itself calls; absent for every other caller
 */
public record Caller(
    List<String> authorization,
    TokenVerdict verdict,
    List<Credential.Certificate> certificates,
    boolean local,
    CallerConnection connection,
    @Nullable TaskRun taskRun) {
  public Caller {
    authorization = List.copyOf(authorization);
    certificates = List.copyOf(certificates);
  }

  /** A caller without a certificate or a signed token that is not the gateway itself. */
  public Caller(List<String> authorization, boolean local, CallerConnection connection) {
    this(authorization, TokenVerdict.OPAQUE, List.of(), local, connection, null);
  }
}
