package gatebook.api.load;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.TreeMap;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The bytes that a Java process allocated, by the names of its threads, without their numbers. What
 * no thread has that still runs is of those that have ended. The threads that answer the question
 * itself are left out.
 */
public record AllocatedBytes(Map<String, Long> byThread) {
  private static final String ENDED = "threads that ended";
  private static final String ASKED = "RMI ";

  public AllocatedBytes {
    byThread = Map.copyOf(byThread);
  }

  @SuppressWarnings("BanJNDI") // a process that the benchmark started
  public static AllocatedBytes of(long pid) throws IOException {
    try (JMXConnector connector = JMXConnectorFactory.connect(agent(pid))) {
      return of(
          ManagementFactory.newPlatformMXBeanProxy(
              connector.getMBeanServerConnection(),
              ManagementFactory.THREAD_MXBEAN_NAME,
              ThreadMXBean.class));
    }
  }

  private static JMXServiceURL agent(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return new JMXServiceURL(machine.startLocalManagementAgent());
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException(e);
    }
  }

  private static AllocatedBytes of(ThreadMXBean threads) {
    long[] ids = threads.getAllThreadIds();
    ThreadInfo[] running = threads.getThreadInfo(ids);
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    long ended = threads.getTotalThreadAllocatedBytes();
    Map<String, Long> byThread = new TreeMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (running[i] != null && bytes[i] > 0) {
        String name = running[i].getThreadName();
        if (!name.startsWith(ASKED)) {
          byThread.merge(name.replaceAll("[-# ]*\\d+$", ""), bytes[i], Long::sum);
        }
        ended -= bytes[i];
      }
    }
    byThread.put(ENDED, ended);
    return new AllocatedBytes(byThread);
  }

  public AllocatedBytes since(AllocatedBytes before) {
    Map<String, Long> differences = new TreeMap<>(byThread);
    before.byThread.forEach((name, bytes) -> differences.merge(name, -bytes, Long::sum));
    return new AllocatedBytes(differences);
  }

  /** What the threads of a name allocated; 0 when there is none. */
  public long of(String name) {
    return byThread.getOrDefault(name, 0L);
  }
}
