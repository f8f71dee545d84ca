//! 定长环形缓冲区。
//!
//! 场景：日志采集线程不断写入，我们只关心最近的 N 条。
//! 缓冲区写满之后，新元素会覆盖最旧的元素，不会再分配内存。
//! 单线程版本，需要跨线程共享时请在外面套一层 `Mutex`。

use std::fmt;

/// 写入失败的原因。
#[derive(Debug, PartialEq, Eq)]
pub enum PushError<T> {
    /// 缓冲区已满，把元素原样还给调用方，避免无谓的 clone。
    Full(T),
}

impl<T> fmt::Display for PushError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushError::Full(_) => write!(f, "缓冲区已满，写入被拒绝"),
        }
    }
}

pub struct RingBuffer<T> {
    slots: Vec<Option<T>>,
    head: usize, // 最旧元素的下标
    len: usize,  // 当前元素个数；用 len 而不是 tail，可以省掉「空还是满」的判断
}

impl<T> RingBuffer<T> {
    /// 创建容量为 `capacity` 的缓冲区。
    ///
    /// # Panics
    /// 容量为 0 时直接 panic，这种用法一定是写错了。
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "容量不能为零");
        let mut slots = Vec::with_capacity(capacity);
        slots.resize_with(capacity, || None);
        RingBuffer { slots, head: 0, len: 0 }
    }

    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn is_full(&self) -> bool {
        self.len == self.capacity()
    }

    /// 逻辑下标换算成物理下标。
    /// 取模看上去慢，但容量是运行时才知道的，没法换成位运算。
    fn physical(&self, logical: usize) -> usize {
        (self.head + logical) % self.capacity()
    }

    /// 写入一个元素；满了就返回错误，不覆盖旧数据。
    pub fn try_push(&mut self, value: T) -> Result<(), PushError<T>> {
        if self.is_full() {
            return Err(PushError::Full(value));
        }
        let tail = self.physical(self.len);
        self.slots[tail] = Some(value);
        self.len += 1;
        Ok(())
    }

    /// 写入一个元素；满了就挤掉最旧的，并把被挤掉的元素返回。
    pub fn push_overwrite(&mut self, value: T) -> Option<T> {
        if self.is_full() {
            // 此时 tail 与 head 重合，直接在原位替换，再把 head 往前挪一格
            let old = self.slots[self.head].replace(value);
            self.head = self.physical(1);
            return old;
        }
        let tail = self.physical(self.len);
        self.slots[tail] = Some(value);
        self.len += 1;
        None
    }

    /// 取出最旧的元素。
    pub fn pop(&mut self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        let value = self.slots[self.head].take();
        self.head = self.physical(1);
        self.len -= 1;
        value
    }

    /// 按从旧到新的顺序遍历，不消耗元素。
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        (0..self.len).filter_map(move |i| self.slots[self.physical(i)].as_ref())
    }
}

fn main() {
    let mut recent = RingBuffer::new(3);
    for line in ["服务启动", "加载配置", "监听端口 8080", "收到首个请求"] {
        if let Some(dropped) = recent.push_overwrite(line) {
            println!("丢弃最旧的一条：{dropped}");
        }
    }
    println!("最近 {} 条日志：", recent.len());
    for (i, line) in recent.iter().enumerate() {
        println!("  {}. {}", i + 1, line);
    }
    match recent.try_push("磁盘告警") {
        Ok(()) => unreachable!("刚才已经写满了"),
        Err(e) => println!("{e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn 先进先出() {
        let mut rb = RingBuffer::new(2);
        rb.try_push('甲').unwrap();
        rb.try_push('乙').unwrap();
        assert_eq!(rb.try_push('丙'), Err(PushError::Full('丙')));
        assert_eq!(rb.pop(), Some('甲'));
        rb.try_push('丙').unwrap(); // 绕回数组开头，最容易出 bug 的地方
        assert_eq!(rb.iter().collect::<String>(), "乙丙");
    }
}
