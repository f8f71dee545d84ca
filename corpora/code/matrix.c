/*
 * matrix.c - 小型稠密矩陣運算
 *
 * 以列優先（row-major）方式存放，支援乘法、轉置與高斯消去求解。
 * 本檔案的註解由舊專案沿用，故為繁體；後來新增的部分是简体。
 *
 * 編譯：gcc -std=c11 -Wall -Wextra -o matrix matrix.c -lm
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t rows;
    size_t cols;
    double *data; /* 連續記憶體，長度為 rows * cols */
} Matrix;

/* 取元素的巨集，不做邊界檢查，呼叫端自行負責 */
#define AT(m, r, c) ((m)->data[(r) * (m)->cols + (c)])

/* 主元絕對值小於此數即視為奇異矩陣 */
static const double EPS = 1e-12;

/* 配置一個全零矩陣；失敗時回傳 NULL */
static Matrix *mat_new(size_t rows, size_t cols) {
    Matrix *m = malloc(sizeof *m);
    if (m == NULL)
        return NULL;
    m->rows = rows;
    m->cols = cols;
    m->data = calloc(rows * cols, sizeof *m->data);
    if (m->data == NULL) {
        free(m); /* 別忘了釋放外層結構，否則會洩漏 */
        return NULL;
    }
    return m;
}

static void mat_free(Matrix *m) {
    if (m != NULL) {
        free(m->data);
        free(m);
    }
}

static Matrix *mat_from(size_t rows, size_t cols, const double *src) {
    Matrix *m = mat_new(rows, cols);
    if (m != NULL)
        memcpy(m->data, src, rows * cols * sizeof *src);
    return m;
}

/* 矩陣乘法。迴圈順序取 i-k-j，內層連續存取，對快取較友善 */
static Matrix *mat_mul(const Matrix *a, const Matrix *b) {
    if (a->cols != b->rows)
        return NULL;
    Matrix *out = mat_new(a->rows, b->cols);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < a->rows; i++)
        for (size_t k = 0; k < a->cols; k++) {
            double x = AT(a, i, k);
            for (size_t j = 0; j < b->cols; j++)
                AT(out, i, j) += x * AT(b, k, j);
        }
    return out;
}

/* 转置：结果是新分配的矩阵，用完要记得 mat_free */
static Matrix *mat_transpose(const Matrix *a) {
    Matrix *out = mat_new(a->cols, a->rows);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < a->cols; j++)
            AT(out, j, i) = AT(a, i, j);
    return out;
}

/*
 * 求解 A x = b，採部分選主元的高斯消去法。
 * 解直接寫入 b；A 的內容會被破壞，需要保留的話請先複製。
 * 成功回傳 0，A 為奇異矩陣或尺寸不合時回傳 -1。
 */
static int mat_solve(Matrix *a, double *b) {
    size_t n = a->rows;
    if (n == 0 || a->cols != n)
        return -1;
    for (size_t col = 0; col < n; col++) {
        /* 找出本欄絕對值最大者作為主元，以降低捨入誤差 */
        size_t pivot = col;
        for (size_t r = col + 1; r < n; r++)
            if (fabs(AT(a, r, col)) > fabs(AT(a, pivot, col)))
                pivot = r;
        if (fabs(AT(a, pivot, col)) < EPS)
            return -1;
        if (pivot != col) {
            for (size_t c = 0; c < n; c++) {
                double t = AT(a, col, c);
                AT(a, col, c) = AT(a, pivot, c);
                AT(a, pivot, c) = t;
            }
            double t = b[col];
            b[col] = b[pivot];
            b[pivot] = t;
        }
        for (size_t r = col + 1; r < n; r++) {
            double f = AT(a, r, col) / AT(a, col, col);
            for (size_t c = col; c < n; c++)
                AT(a, r, c) -= f * AT(a, col, c);
            b[r] -= f * b[col];
        }
    }
    /* 回代。size_t 無號，倒數迴圈要小心下溢 */
    for (size_t i = n; i-- > 0;) {
        for (size_t c = i + 1; c < n; c++)
            b[i] -= AT(a, i, c) * b[c];
        b[i] /= AT(a, i, i);
    }
    return 0;
}

int main(void) {
    const double raw[] = {2, 1, -1, -3, -1, 2, -2, 1, 2};
    double b[] = {8, -11, -3};

    Matrix *a = mat_from(3, 3, raw);
    Matrix *at = a ? mat_transpose(a) : NULL;
    Matrix *prod = at ? mat_mul(at, a) : NULL;
    if (prod == NULL) {
        fprintf(stderr, "记忆体不足\n"); /* TODO: 统一成「内存不足」 */
        mat_free(at);
        mat_free(a);
        return EXIT_FAILURE;
    }
    printf("A 的转置乘以 A，左上角元素：%.1f\n", AT(prod, 0, 0));
    if (mat_solve(a, b) == 0)
        printf("方程组的解：x=%.2f y=%.2f z=%.2f\n", b[0], b[1], b[2]);
    else
        printf("矩阵奇异，无唯一解\n");

    mat_free(prod);
    mat_free(at);
    mat_free(a);
    return EXIT_SUCCESS;
}
