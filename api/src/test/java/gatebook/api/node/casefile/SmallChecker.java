package gatebook.api.node.casefile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The checker of one file, compiled for the oldest Java that it runs on. */
final class SmallChecker {
  static final Path FILE =
      Path.of(
          Objects.requireNonNull(System.getProperty("gatebook.root")),
          "api/checker/CheckCase.java");

  private static final String OLDEST_JAVA = "17";

  private final Method check;

  private SmallChecker(Method check) {
    this.check = check;
  }

  /** Compiles it into an empty folder. */
  static SmallChecker in(Path folder) {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    int failed =
        compiler.run(
            null, null, null, "--release", OLDEST_JAVA, "-d", folder.toString(), FILE.toString());
    if (failed != 0) {
      throw new AssertionError("it does not compile");
    }
    try {
      URL[] classes = {folder.toUri().toURL()};
      Method check =
          new URLClassLoader(classes)
              .loadClass("CheckCase")
              .getDeclaredMethod("check", byte[].class, String.class);
      check.setAccessible(true);
      return new SmallChecker(check);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the checker has no method check", e);
    }
  }

  /** What an accepted file shows; empty when it is refused. */
  Optional<List<String>> shown(byte[] file, String key) {
    try {
      @SuppressWarnings("unchecked")
      List<String> lines = (List<String>) check.invoke(null, file, key);
      return Optional.of(lines);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      return Optional.empty();
    } catch (IllegalAccessException e) {
      throw new LinkageError("the method check is not accessible", e);
    }
  }
}
