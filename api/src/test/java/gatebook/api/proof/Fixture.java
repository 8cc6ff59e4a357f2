package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/** A server written with the official SDK, listening at a port of its own. */
final class Fixture implements AutoCloseable {
  private final Process process;
  private final URI url;

  private Fixture(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /** Returns when it listens. */
  static Fixture start(Era era) {
    try {
      // it ends with its standard input, so that none is left when a test is killed
      Process process =
          new ProcessBuilder(Peers.node(era.server()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      BufferedReader out = process.inputReader(UTF_8);
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError(era.server() + " does not start: run it with node to see why");
      }
      return new Fixture(process, URI.create(line));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI url() {
    return url;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
