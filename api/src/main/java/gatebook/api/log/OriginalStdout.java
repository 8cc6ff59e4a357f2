package gatebook.api.log;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;

/**
 * The original standard output (stdout) of this process. The launcher moves it to another
 * descriptor and makes descriptor 1 a copy of standard error, because the JVM itself writes to
 * descriptor 1 when it crashes or when its options ask for a log.
 */
public final class OriginalStdout {

  private static final int USUAL_DESCRIPTOR = 1;

  private static final int DESCRIPTOR = Integer.getInteger("gatebook.output", USUAL_DESCRIPTOR);

  /** The file by which this process can open it. */
  public static final Path FILE = Path.of("/dev/fd/" + DESCRIPTOR);

  private OriginalStdout() {}

  /** Makes {@link System#out} write to it. */
  public static void printResults() {
    if (DESCRIPTOR != USUAL_DESCRIPTOR) {
      System.setOut(
          new PrintStream(new BufferedOutputStream(stream()), true, System.out.charset()));
    }
  }

  /** Keeps it for a protocol: {@link System#out} is standard error from now on. */
  public static void keepForProtocol() {
    System.setOut(System.err);
  }

  /** Writes to it, without a buffer. */
  public static OutputStream stream() {
    return new FileOutputStream(descriptor());
  }

  /** The descriptor itself and not its file, since a socket cannot be opened a second time. */
  private static FileDescriptor descriptor() {
    if (DESCRIPTOR == USUAL_DESCRIPTOR) {
      return FileDescriptor.out;
    }
    try {
      Constructor<FileDescriptor> numbered = FileDescriptor.class.getDeclaredConstructor(int.class);
      numbered.setAccessible(true); // the launcher opens its package
      return numbered.newInstance(DESCRIPTOR);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM has no descriptors by number", e);
    }
  }
}
