import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * 带优先级和失败重试的任务队列。
 *
 * <p>优先级数字越小越先执行；优先级相同则按提交顺序执行（先来先服务）。
 * 任务抛出异常时会重新入队，超过最大尝试次数后丢弃并打印日志。
 */
public final class TaskQueue implements AutoCloseable {

    /** 任务体，允许抛出受检异常，由队列统一处理。 */
    @FunctionalInterface
    public interface Job {
        void run() throws Exception;
    }

    private static final class Entry implements Comparable<Entry> {
        final String name;
        final int priority;
        final long seq;
        final Job job;
        int attempts = 0;

        Entry(String name, int priority, long seq, Job job) {
            this.name = name;
            this.priority = priority;
            this.seq = seq;
            this.job = job;
        }

        @Override
        public int compareTo(Entry other) {
            int byPriority = Integer.compare(priority, other.priority);
            // 优先级相等时比序号，否则 PriorityQueue 不保证先进先出
            return byPriority != 0 ? byPriority : Long.compare(seq, other.seq);
        }
    }

    private final PriorityQueue<Entry> heap = new PriorityQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private long nextSeq = 0; // 由 lock 保护
    private final List<Thread> workers = new ArrayList<>();
    private final int maxAttempts;
    private boolean closed = false; // 由 lock 保护，不需要 volatile

    public TaskQueue(int threads, int maxAttempts) {
        if (threads < 1 || maxAttempts < 1) {
            throw new IllegalArgumentException("线程数和尝试次数都必须大于零");
        }
        this.maxAttempts = maxAttempts;
        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(this::workLoop, "工作线程-" + i);
            workers.add(t);
            t.start();
        }
    }

    /** 提交任务。队列关闭之后再提交会抛异常，而不是悄悄丢掉。 */
    public void submit(String name, int priority, Job job) {
        lock.lock();
        try {
            if (closed) throw new IllegalStateException("队列已关闭，拒绝任务：" + name);
            heap.add(new Entry(name, priority, nextSeq++, job));
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    /** 取下一个任务；返回 null 表示队列已关闭且没有剩余任务。 */
    private Entry take() throws InterruptedException {
        lock.lock();
        try {
            // 必须用 while 而不是 if：防止虚假唤醒
            while (heap.isEmpty()) {
                if (closed) return null;
                notEmpty.await();
            }
            return heap.poll();
        } finally {
            lock.unlock();
        }
    }

    private void workLoop() {
        try {
            for (Entry e = take(); e != null; e = take()) {
                execute(e);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt(); // 恢复中断标记再退出
        }
    }

    private void execute(Entry e) {
        e.attempts++;
        try {
            e.job.run();
        } catch (Exception ex) {
            if (e.attempts >= maxAttempts) {
                System.err.printf("任务「%s」尝试 %d 次仍然失败，放弃：%s%n",
                        e.name, e.attempts, ex.getMessage());
                return;
            }
            // 重试不检查 closed：close() 承诺把已经接收的任务做完
            lock.lock();
            try {
                heap.add(e);
                notEmpty.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** 停止接收新任务，等剩余任务执行完毕再返回。 */
    @Override
    public void close() throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
        for (Thread t : workers) {
            t.join(30_000); // 最多等 30 秒，避免卡死在某个任务上
        }
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicInteger flaky = new AtomicInteger();
        try (TaskQueue queue = new TaskQueue(2, 3)) {
            queue.submit("发送周报", 5, () -> System.out.println("周报已发送"));
            queue.submit("扣减库存", 1, () -> System.out.println("库存已扣减"));
            queue.submit("同步订单", 2, () -> {
                if (flaky.incrementAndGet() < 3) throw new IllegalStateException("对方接口超时");
                System.out.println("订单同步成功，共尝试 " + flaky.get() + " 次");
            });
        }
        System.out.println("所有任务处理完毕");
    }
}
