package gatebook.events.journal.archive;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes targets that fail, or count, or do something first. */
public final class FailingTarget {

  private FailingTarget() {}

  /** A target that fails after some calls. */
  public static ArchiveTarget after(ArchiveTarget target, AtomicInteger left) {
    return (ArchiveTarget)
        Proxy.newProxyInstance(
            ArchiveTarget.class.getClassLoader(),
            new Class<?>[] {ArchiveTarget.class},
            (_, method, arguments) -> {
              if (!List.of("describe", "close").contains(method.getName())
                  && left.getAndDecrement() <= 0) {
                throw new ArchiveFailure("the archive is away");
              }
              return method.invoke(target, arguments);
            });
  }

  /** A target that counts the objects that are copied from it. */
  public static ArchiveTarget counting(ArchiveTarget target, AtomicInteger copies) {
    return (ArchiveTarget)
        Proxy.newProxyInstance(
            ArchiveTarget.class.getClassLoader(),
            new Class<?>[] {ArchiveTarget.class},
            (_, method, arguments) -> {
              if (method.getName().equals("copyTo")) {
                copies.incrementAndGet();
              }
              return method.invoke(target, arguments);
            });
  }

  /** A target that does something before it replaces an object. */
  public static ArchiveTarget beforePut(ArchiveTarget target, Runnable first) {
    return (ArchiveTarget)
        Proxy.newProxyInstance(
            ArchiveTarget.class.getClassLoader(),
            new Class<?>[] {ArchiveTarget.class},
            (_, method, arguments) -> {
              if (method.getName().equals("put")) {
                first.run();
              }
              return method.invoke(target, arguments);
            });
  }
}
