package gatebook.api;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A daemon of which one thread ends with an error as soon as a file exists. */
final class LosesAThread {
  private LosesAThread() {}

  /** {@code args} are the file and the daemon's own arguments. */
  public static void main(String[] args) {
    Path when = Path.of(args[0]);
    Thread.ofPlatform()
        .name("to-be-lost")
        .daemon()
        .start(() -> {
          while (!Files.exists(when)) {
            LockSupport.parkNanos(10_000_000);
          }
          throw new NoClassDefFoundError("planted");
        });
    String[] own = new String[args.length - 1];
    System.arraycopy(args, 1, own, 0, own.length);
    Gatebook.main(own);
  }
}
