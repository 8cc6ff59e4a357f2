package gatebook.api.node.sharing;

import gatebook.api.data.OwnerAddress;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.operator.tail.TailAdmission;
import gatebook.events.CallAbandoned.Cause;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.KeysUnavailable;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner's server for its members, the other processes on its data directory: records their
 * events and answers their queries. It listens on a loopback port, and answers only a process that
 * knows the secret.
 */
public final class OwnerServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OwnerServer.class);
  private static final int BACKLOG = 64;

  private final Journal journal;
  private final ContentKeys contentKeys;
  private final OwnerOperatorRpc operatorRpc;
  private final Runnable onMemberEnded;
  private final ServerSocket serverSocket;
  private final OwnerAddress address;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> members = ConcurrentHashMap.newKeySet();

  private OwnerServer(
      Journal journal,
      ContentKeys contentKeys,
      OwnerOperatorRpc operatorRpc,
      Runnable onMemberEnded,
      ServerSocket serverSocket) {
    this.journal = journal;
    this.contentKeys = contentKeys;
    this.operatorRpc = operatorRpc;
    this.onMemberEnded = onMemberEnded;
    this.serverSocket = serverSocket;
    this.address = OwnerAddress.withNewSecret(serverSocket.getLocalPort());
  }

  /**
   * Listens on any free port.
   *
   * @param onMemberEnded runs whenever the process of a member has ended
   */
  public static OwnerServer open(
      Journal journal,
      ContentKeys contentKeys,
      OwnerOperatorRpc operatorRpc,
      Runnable onMemberEnded)
      throws IOException {
    ServerSocket serverSocket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    OwnerServer opened =
        new OwnerServer(journal, contentKeys, operatorRpc, onMemberEnded, serverSocket);
    Thread.ofPlatform().daemon().name("owner-server").start(opened::accept);
    return opened;
  }

  /** The address to which members connect. */
  public OwnerAddress address() {
    return address;
  }

  @Override
  public void close() {
    closeQuietly(serverSocket);
    members.forEach(OwnerServer::closeQuietly);
    threads.shutdown();
  }

  private void accept() {
    try {
      while (!serverSocket.isClosed()) {
        handOver(serverSocket.accept());
      }
    } catch (IOException e) {
      if (!serverSocket.isClosed()) {
        LOG.error("the port for other processes failed: they can no longer record here", e);
      }
    }
  }

  private void handOver(Socket socket) throws IOException {
    try {
      threads.execute(() -> serve(socket));
    } catch (RejectedExecutionException _) {
      socket.close(); // this server was closed meanwhile
    }
  }

  private void serve(Socket socket) {
    members.add(socket);
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(MutualAuth.MILLIS_MAX);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      MemberProcess memberProcess = new MutualAuth(address, in, out).authenticateMember();
      if (memberProcess != null) {
        socket.setSoTimeout(0);
        watchExit(memberProcess);
        try (MemberSession memberSession = new MemberSession(memberProcess, socket, in, out)) {
          memberSession.run();
        }
      }
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("the connection of a member was lost");
    } catch (RuntimeException | Error e) {
      LOG.error("serving another process failed", e);
    } finally {
      members.remove(socket);
    }
  }

  /**
   * Closes the calls that a member leaves open when its process has ended, not when its connection
   * is lost: until then it may still close them itself.
   */
  private void watchExit(MemberProcess memberProcess) {
    if (!memberProcess.records()) {
      return;
    }
    LOG.atInfo().addKeyValue("node", memberProcess.node()).log("another process records here");
    if (memberProcess.pid() != ProcessHandle.current().pid()) {
      CompletableFuture<Void> _ = exitOf(memberProcess).thenRun(this::memberEnded);
    }
  }

  private static CompletableFuture<?> exitOf(MemberProcess memberProcess) {
    return ProcessHandle.of(memberProcess.pid())
        .<CompletableFuture<?>>map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  private void memberEnded() {
    if (!serverSocket.isClosed()) {
      onMemberEnded.run();
    }
  }

  private static void closeQuietly(AutoCloseable any) {
    try {
      any.close();
    } catch (Exception e) {
      LOG.atDebug().setCause(e).log("closing a connection failed");
    }
  }

  /** The session of one member. Its requests are answered in the order in which they complete. */
  private final class MemberSession implements AutoCloseable {
    private final MemberProcess memberProcess;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final CompletableFuture<@Nullable Void> disconnected = new CompletableFuture<>();

    MemberSession(
        MemberProcess memberProcess, Socket socket, DataInputStream in, DataOutputStream out) {
      this.memberProcess = memberProcess;
      this.socket = socket;
      this.in = in;
      this.out = out;
    }

    void run() throws IOException {
      while (true) {
        WireFormat.Numbered<OwnerRequest> request = WireFormat.request(WireFormat.receive(in));
        if (request.message() instanceof OwnerRequest.Follow follow) {
          CompletableFuture<Void> _ =
              CompletableFuture.runAsync(() -> follow(request.number(), follow), threads)
                  .exceptionally(failure -> {
                    send(request.number(), failed(failure));
                    return null;
                  })
                  .exceptionally(this::disconnect);
        } else {
          CompletableFuture<Void> _ =
              responseTo(request.message())
                  .exceptionally(OwnerServer::failed)
                  .thenAcceptAsync(ownerResponse -> send(request.number(), ownerResponse), threads)
                  .exceptionally(this::disconnect);
        }
      }
    }

    private void follow(long number, OwnerRequest.Follow request) {
      Optional<String> lastSeen = Optional.ofNullable(request.lastSeen()).map(String::valueOf);
      switch (operatorRpc.follow(
          request.token(), request.query(), lastSeen, new MemberConnection())) {
        case TailAdmission.Refused(var reason, var sentence) ->
            send(
                number,
                new OwnerResponse.FollowRefused(reason == TailAdmission.Reason.NOT_NOW, sentence));
        case TailAdmission.Following(var events) ->
            events.subscribe(
                new TailForwarder(threads, ownerResponse -> send(number, ownerResponse)));
      }
    }

    /** The connection of an operator who follows the journal in the member's process. */
    private final class MemberConnection implements CallerConnection {
      @Override
      public Watch onDisconnect(Consumer<Cause> action) {
        CompletableFuture<Void> _ = disconnected.thenRun(() -> action.accept(Cause.DISCONNECTED));
        return () -> {}; // each connection follows at most once
      }

      @Override
      public void close() {
        closeQuietly(socket);
      }
    }

    @Override
    public void close() {
      disconnected.complete(null);
    }

    private CompletableFuture<OwnerResponse> responseTo(OwnerRequest ownerRequest) {
      return switch (ownerRequest) {
        case OwnerRequest.Head() ->
            CompletableFuture.completedFuture(new OwnerResponse.HeadPosition(journal.head()));
        case OwnerRequest.Find(var criteria, long after, long upTo, int limit) ->
            onWorkerThread(
                _ -> new OwnerResponse.Found(journal.find(criteria, after, upTo, limit)));
        case OwnerRequest.Write(var conflictCondition, var drafts) ->
            journal
                .append(memberProcess.node(), conflictCondition, drafts)
                .thenApply(MemberSession::appended);
        case OwnerRequest.CurrentKey(var owner) ->
            onWorkerThread(_ -> key(() -> new KeyLookup.Found(contentKeys.current(owner))));
        case OwnerRequest.FindKey(var id) -> onWorkerThread(_ -> key(() -> contentKeys.find(id)));
        case OwnerRequest.OperatorCall(var token, var message) ->
            onWorkerThread(
                _ -> new OwnerResponse.RpcAnswer(operatorRpc.answer(token, message).orElse(null)));
        case OwnerRequest.Follow _ ->
            throw new IllegalStateException("a follow request has many responses");
      };
    }

    private static OwnerResponse key(Supplier<KeyLookup> lookup) {
      try {
        return new OwnerResponse.KeyFound(lookup.get());
      } catch (KeysUnavailable e) {
        return new OwnerResponse.NoKeys(String.valueOf(e.getMessage()));
      }
    }

    private static OwnerResponse appended(Append append) {
      return append instanceof Append.Conflict
          ? new OwnerResponse.Conflicted()
          : new OwnerResponse.Appended(append);
    }

    private CompletableFuture<OwnerResponse> onWorkerThread(
        Function<@Nullable Void, OwnerResponse> mayBlock) {
      return CompletableFuture.<@Nullable Void>completedFuture(null)
          .thenApplyAsync(mayBlock, threads);
    }

    /** A member whose request has no response would wait for it. */
    private @Nullable Void disconnect(Throwable failure) {
      if (!serverSocket.isClosed()) {
        LOG.error("a response to another process failed", failure);
      }
      closeQuietly(socket);
      return null;
    }

    private void send(long number, OwnerResponse ownerResponse) {
      try {
        byte[] frame = WireFormat.response(number, ownerResponse);
        synchronized (out) {
          WireFormat.send(out, frame);
          out.flush();
        }
      } catch (IOException e) {
        LOG.atDebug().setCause(e).log("the connection of a member was lost before its response");
      }
    }
  }

  private static OwnerResponse failed(Throwable failure) {
    LOG.error("a request of another process to the journal failed", failure);
    return new OwnerResponse.Failed();
  }
}
