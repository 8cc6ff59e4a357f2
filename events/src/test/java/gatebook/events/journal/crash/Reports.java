package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What a child process reports to its parent, by its standard output. */
final class Reports {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private Reports() {}

  /** Writes a line by one system call: a kill leaves whole lines. */
  static void write(Line line) {
    try {
      OUT.write(line.text().getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when the parent has closed the standard input, or is gone. */
  static void awaitEndOfInput() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
