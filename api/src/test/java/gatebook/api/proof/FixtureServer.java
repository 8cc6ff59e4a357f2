package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/** A fixture server, written with the official SDK, listening on a port of its own. */
final class FixtureServer implements AutoCloseable {
  private final Process process;
  private final URI url;

  private FixtureServer(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /** Returns once the server is listening. */
  static FixtureServer start(ProtocolRevision revision) {
    try {
      // it ends with its standard input, so no process is left when a test is killed
      Process process =
          new ProcessBuilder(NpmPeers.node(revision.serverScript()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      BufferedReader out = process.inputReader(UTF_8);
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError(
            revision.serverScript() + " does not start: run it with node to see why");
      }
      return new FixtureServer(process, URI.create(line));
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
