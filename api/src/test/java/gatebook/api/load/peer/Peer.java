package gatebook.api.load.peer;

import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;

/** A process with nothing but a {@link PeerController}; prints its port when it is ready. */
public final class Peer {
  private Peer() {}

  @SuppressWarnings("SystemOut") // read by the process that started this one
  public static void main(String[] args) {
    EmbeddedServer server =
        Micronaut.build(args)
            .banner(false)
            .properties(
                Map.of(
                    "micronaut.server.host",
                    "127.0.0.1",
                    "micronaut.server.port",
                    -1,
                    PeerController.SWITCH,
                    true))
            .start()
            .getBean(EmbeddedServer.class);
    System.out.println(server.getPort());
  }
}
