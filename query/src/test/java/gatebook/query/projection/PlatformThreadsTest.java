package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlatformThreadsTest {
  private static final int MAX = 2;

  private final PlatformThreads threads = new PlatformThreads("reader", MAX);
  private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    virtual.close();
    threads.close();
  }

  @Test
  void virtualThreadIsReplacedByPlatformThread() throws Exception {
    Thread used = onVirtualThread(Thread::currentThread).get(1, TimeUnit.MINUTES);

    assertThat(used.isVirtual()).isFalse();
    assertThat(used.getName()).startsWith("reader-");
  }

  @Test
  void platformThreadIsKept() throws Exception {
    assertThat(threads.run(Thread::currentThread)).isSameAs(Thread.currentThread());
  }

  @Test
  void failuresReachTheCaller() {
    var failure = new SQLException("no such table");
    var defect = new IllegalStateException("defect");

    assertThatThrownBy(() -> onVirtualThread(() -> fail(failure)).get(1, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .hasCause(failure);
    assertThatThrownBy(() ->
            onVirtualThread(
                    () -> {
                      throw defect;
                    })
                .get(1, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .hasCause(defect);
  }

  @Test
  void onlyTheMaximumRunsAtOnce() throws Exception {
    var running = new ConcurrentLinkedQueue<Thread>();
    var enough = new CountDownLatch(1);
    var first = onVirtualThread(() -> hold(running, enough));
    var second = onVirtualThread(() -> hold(running, enough));
    await().until(() -> running.size() == MAX);

    var third = onVirtualThread(() -> hold(running, enough));
    assertThat(third).isNotDone();
    enough.countDown();

    Thread last = third.get(1, TimeUnit.MINUTES);
    assertThat(last).isIn(first.get(1, TimeUnit.MINUTES), second.get(1, TimeUnit.MINUTES));
  }

  @Test
  void interruptedThreadGetsItsResult() throws Exception {
    var running = new ConcurrentLinkedQueue<Thread>();
    var enough = new CountDownLatch(1);
    var interrupted = new CompletableFuture<Boolean>();
    Thread caller =
        Thread.startVirtualThread(() -> {
          try {
            threads.run(() -> hold(running, enough));
            interrupted.complete(Thread.currentThread().isInterrupted());
          } catch (SQLException | RuntimeException e) {
            interrupted.completeExceptionally(e);
          }
        });
    await().until(() -> !running.isEmpty());

    caller.interrupt();
    enough.countDown();

    assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void virtualThreadIsRefusedAfterClosing() {
    threads.close();

    assertThatThrownBy(() -> onVirtualThread(Thread::currentThread).get(1, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(SQLException.class);
  }

  private <T> Future<T> onVirtualThread(PlatformThreads.DatabaseUse<T> databaseUse) {
    return virtual.submit(() -> threads.run(databaseUse));
  }

  private static Thread fail(SQLException failure) throws SQLException {
    throw failure;
  }

  private static Thread hold(Queue<Thread> running, CountDownLatch enough) {
    running.add(Thread.currentThread());
    try {
      enough.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return Thread.currentThread();
  }
}
