#!/usr/bin/env bash
# 统计 Nginx 访问日志：按状态码、接口、来源 IP 汇总，并找出慢请求。
#
# 用法：
#   ./parse_log.sh [-n 条数] [-t 慢请求阈值(秒)] 日志文件...
#   zcat access.log.*.gz | ./parse_log.sh -n 20 -
#
# 要求日志格式最后一列是 $request_time，其余与 combined 格式一致。

set -euo pipefail

TOP_N=10
SLOW=1.0

usage() {
    # 直接把文件开头的注释当帮助信息打印，省得维护两份
    sed -n '2,8s/^# \{0,1\}//p' "$0"
    exit "${1:-0}"
}

die() {
    echo "错误：$*" >&2
    exit 1
}

while getopts ":n:t:h" opt; do
    case "$opt" in
        n) TOP_N=$OPTARG ;;
        t) SLOW=$OPTARG ;;
        h) usage 0 ;;
        :) die "选项 -$OPTARG 缺少参数" ;;
        *) die "不认识的选项 -$OPTARG，加 -h 查看帮助" ;;
    esac
done
shift $((OPTIND - 1))

[[ $TOP_N =~ ^[1-9][0-9]*$ ]] || die "-n 必须是正整数，收到：$TOP_N"
[[ $SLOW =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "-t 必须是非负数，收到：$SLOW"
[[ $# -gt 0 ]] || usage 1

# 统一落到临时文件，后面要扫好几遍，标准输入只能读一次
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT   # 不管怎么退出都清理干净

for f in "$@"; do
    if [[ $f == - ]]; then
        cat
    elif [[ -r $f ]]; then
        cat -- "$f"
    else
        echo "警告：读不了 $f，已跳过" >&2
    fi
done > "$WORK/all.log"

TOTAL=$(wc -l < "$WORK/all.log")
TOTAL=$((TOTAL))   # macOS 的 wc 会在前面补空格，做一次算术就没了
[[ $TOTAL -gt 0 ]] || die "没有读到任何日志"

# 解析成四列：IP、状态码、路径（去掉查询串）、耗时
# 注意：请求行里可能混入空格或乱码，所以按双引号切，不按空格切
awk -F'"' '
    NF >= 3 {
        split($1, head, " ")
        split($2, req, " ")
        split($3, tail, " ")
        path = req[2]
        sub(/\?.*/, "", path)
        # 把纯数字的路径段归一成 :id，否则每个订单号都会单独成一行
        while (match(path, /\/[0-9]+(\/|$)/)) {
            rest = substr(path, RSTART + RLENGTH)
            sep = substr(path, RSTART + RLENGTH - 1, 1) == "/" ? "/" : ""
            path = substr(path, 1, RSTART) ":id" sep rest
        }
        n = split($0, cols, " ")
        printf "%s\t%s\t%s\t%s\n", head[1], tail[1], path, cols[n]
    }
' "$WORK/all.log" > "$WORK/parsed.tsv"

BAD=$((TOTAL - $(wc -l < "$WORK/parsed.tsv")))

section() {
    printf '\n== %s ==\n' "$1"
}

# 计数并取前 N 名。head 读够就退出，上游的 sort 会收到 SIGPIPE，
# 配合 pipefail 会误判失败，所以用 awk 截断
top() {
    cut -f"$1" "$WORK/parsed.tsv" | sort | uniq -c | sort -rn |
        awk -v n="$TOP_N" 'NR <= n { printf "%8d  %s\n", $1, $2 }'
}

echo "共 $TOTAL 行，其中无法解析 $BAD 行"

section "状态码分布"
top 2

section "访问最多的接口"
top 3

section "来源 IP 排行"
top 1

section "慢请求（超过 ${SLOW} 秒）"
awk -F'\t' -v slow="$SLOW" '
    $4 + 0 > slow {
        count[$3]++
        sum[$3] += $4
        if ($4 + 0 > max[$3] + 0) max[$3] = $4
    }
    END {
        for (p in count)
            printf "%6d 次  平均 %.2fs  最长 %.2fs  %s\n", count[p], sum[p] / count[p], max[p], p
    }
' "$WORK/parsed.tsv" | sort -rn | awk -v n="$TOP_N" 'NR <= n'
